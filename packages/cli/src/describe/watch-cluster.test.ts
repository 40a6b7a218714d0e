import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { CommandIo, Terminal } from "../command.ts";
import { DescribeError } from "../errors.ts";
import { watchCluster } from "./watch-cluster.ts";

const gone = () => new DescribeError({ namespace: "team", name: "a" }, "there is no such cluster");

/** The output for these texts, one after the other, before the cluster is gone. */
async function watched(texts: readonly string[], terminal?: Terminal) {
  const seen = { output: "", errors: "" };
  const io: CommandIo = {
    write: (text) => {
      seen.output += text;
    },
    writeError: (text) => {
      seen.errors += text;
    },
    readInput: async () => "",
    env: {},
    ...(terminal && { terminal }),
  };
  const left = [...texts];
  await watchCluster(io, {
    interval: 60_000,
    changed: async () => {},
    read: async () => {
      const text = left.shift();
      if (text === undefined) throw gone();
      return () => text;
    },
  });
  return seen;
}

describe("watchCluster", () => {
  it("prints only what has changed, until the cluster is gone", async () => {
    const { output, errors } = await watched(["a\n", "a\n", "b\n", "b\n"]);
    assert.equal(output, "a\n\nb\n");
    assert.equal(errors, "The cluster is gone.\n");
  });

  it("overwrites the screen at a terminal", async () => {
    const { output } = await watched(["a\nb\n", "a\n"], { columns: () => 80 });
    const frame = (text: string) => `\u001b[H${text}\u001b[J`;
    assert.equal(output, `\u001b[2J${frame("a\u001b[K\nb\u001b[K\n")}${frame("a\u001b[K\n")}`);
  });

  it("fails for a cluster that never existed", async () => {
    await assert.rejects(watched([]), { code: "Describe" });
  });
});
