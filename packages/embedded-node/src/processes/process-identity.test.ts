import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { isRunning, processIdentity, signalProcess } from "./process-identity.ts";

test("a process is only ended by who knows it, not by its number", async () => {
  const child = spawn("sleep", ["1000"], { stdio: "ignore" });
  await once(child, "spawn");
  const pid = child.pid ?? 0;
  const identity = processIdentity(pid) ?? "";
  assert.equal(signalProcess({ pid, identity: `${identity}0` }, "SIGKILL"), false);
  assert.equal(isRunning({ pid, identity }), true);
  assert.equal(signalProcess({ pid, identity }, "SIGKILL"), true);
  await once(child, "exit");
  assert.equal(isRunning({ pid, identity }), false);
});
