import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { processIdentity } from "@rookery/embedded-node";
import { ProcessEndedError } from "../errors.ts";
import { startChild } from "./child.ts";
import { endProcess } from "./end-process.ts";
import { createTemporaryFolder } from "./temporary-folder.ts";
import { waitFor } from "./wait-for.ts";

async function startShell(script: string, grace?: number) {
  const folder = await createTemporaryFolder("child");
  const child = await startChild({
    name: "shell",
    command: "/bin/sh",
    args: ["-c", script],
    log: join(folder.path, "logs", "shell.log"),
    ...(grace === undefined ? {} : { grace }),
  });
  return {
    child,
    async [Symbol.asyncDispose]() {
      await child.kill();
      await folder[Symbol.asyncDispose]();
    },
  };
}

test("a child that ends by itself is known by its ending and its last words", async () => {
  await using shell = await startShell("echo one; echo two >&2; exit 3");
  await shell.child.whenEnded();
  assert.equal(shell.child.ending, "exit code 3");
  assert.throws(
    () => shell.child.assertRunning(),
    (error) =>
      error instanceof ProcessEndedError &&
      error.message === "could not run shell: it ended with exit code 3\none\ntwo",
  );
});

test("a running child has no ending and a number of its own", async () => {
  await using shell = await startShell("sleep 1000");
  assert.equal(shell.child.ending, undefined);
  shell.child.assertRunning();
  assert.ok(processIdentity(shell.child.pid));
});

test("stop lets a child finish", async () => {
  await using shell = await startShell(
    "trap 'echo bye; exit 0' TERM; echo up; while :; do sleep 0.01; done",
    60_000,
  );
  await waitFor(() => readFileSync(shell.child.log, "utf8").includes("up"), { what: "the shell" });
  await shell.child.stop();
  assert.equal(shell.child.ending, "exit code 0");
  assert.equal(readFileSync(shell.child.log, "utf8"), "up\nbye\n");
});

test("stop kills a child that does not want to finish, and may be called again", async () => {
  await using shell = await startShell("trap '' TERM; echo up; sleep 1000", 50);
  await waitFor(() => readFileSync(shell.child.log, "utf8").includes("up"), { what: "the shell" });
  await Promise.all([shell.child.stop(), shell.child.stop()]);
  assert.equal(shell.child.ending, "SIGKILL");
  await shell.child.stop();
});

test("a command that is not there is told by the log", async () => {
  const folder = await createTemporaryFolder("child");
  await using _ = folder;
  const log = join(folder.path, "log");
  await using child = await startChild({ name: "x", command: "/no/such", args: [], log });
  await child.whenEnded();
  assert.throws(() => child.assertRunning(), /ended with exit code 127\n.*\/no\/such.*not found/);
});

test("a process that merely got the same number is left alone", async () => {
  await using shell = await startShell("sleep 1000");
  await endProcess({ pid: shell.child.pid, identity: "earlier" }, { grace: 0 });
  shell.child.assertRunning();
});
