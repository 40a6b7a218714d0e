import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { findProcesses } from "../../src/process/find-processes.ts";
import { waitFor } from "../../src/process/wait-for.ts";
import { runScript, type Script } from "../process/script.ts";
import { machineState } from "./machine-state.ts";

const ownNode = new URL("./own-node.ts", import.meta.url);

/** Reads on until the script says a line that begins like this. */
async function lineOf(script: Script, beginning: string): Promise<string> {
  for (;;) {
    const line = await script.line();
    if (line.startsWith(beginning)) return line;
  }
}

async function isAsBefore(before: unknown, what: string): Promise<void> {
  let last: unknown;
  const same = async () => {
    assert.deepEqual(await machineState(), before);
    return true;
  };
  await waitFor(
    () =>
      same().catch((error: unknown) => {
        last = error;
        return false;
      }),
    {
      what,
      timeout: 60_000,
      interval: 200,
      detail: () => String(last),
    },
  );
}

test("a node waits for the one before it, and a killed one leaves nothing to it", async () => {
  const before = await machineState();
  await using first = runScript(ownNode);
  const [, folder = ""] = (await lineOf(first, "ready")).split(" ");
  assert.notDeepEqual(await machineState(), before);

  await using second = runScript(ownNode);
  assert.match(
    await lineOf(second, "waiting for process"),
    new RegExp(`^waiting for process ${first.process.pid}, which runs a node for end-to-end tests`),
  );
  first.process.kill("SIGKILL");
  await lineOf(second, "ready");
  await waitFor(() => !existsSync(folder), { what: "the first node's folder to be gone" });

  second.process.stdin?.end();
  await lineOf(second, "disposed");
  assert.deepEqual(await machineState(), before);
});

test("what nobody was left to undo is undone by the next node", async () => {
  const before = await machineState();
  await using first = runScript(ownNode);
  const [, folder = ""] = (await lineOf(first, "ready")).split(" ");
  for (const { pid } of reapersOf(first)) process.kill(pid, "SIGKILL");
  first.process.kill("SIGKILL");
  await first.ended;
  assert.ok(existsSync(folder), "the first node's folder is left");

  await using second = runScript(ownNode);
  await lineOf(second, "undoing what an interrupted run left");
  second.process.kill("SIGINT");
  await isAsBefore(before, "the machine to be as before");
  assert.equal(existsSync(folder), false);
});

function reapersOf(script: Script) {
  const reapers = findProcesses((args) => args.some((arg) => arg.endsWith("/reaper-main.ts")));
  return reapers.filter(({ pid }) => parentOf(pid) === script.process.pid);
}

function parentOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
}
