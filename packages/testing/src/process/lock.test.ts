import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { runScript } from "../../test/process/script.ts";
import { LockHeldError } from "../errors.ts";
import { acquireLock } from "./lock.ts";
import { createTemporaryFolder } from "./temporary-folder.ts";

const holderScript = new URL("../../test/process/lock-holder.ts", import.meta.url);

async function temporaryLock() {
  const folder = await createTemporaryFolder("lock");
  return Object.assign(folder, { file: join(folder.path, "deep", "x.lock") });
}

test("a lock that a live process holds is waited for, and the wait says for whom", async () => {
  await using lock = await temporaryLock();
  await using holder = runScript(holderScript, [lock.file]);
  await holder.line();
  const { promise: told, resolve: progress } = Promise.withResolvers<string>();
  const acquired = acquireLock(lock.file, { purpose: "waits", progress });
  assert.match(
    await told,
    new RegExp(`^waiting for process ${holder.process.pid}, which holds it for a test since 20`),
  );
  holder.process.kill("SIGKILL");
  await using _ = await acquired;
});

test("a lock that a live process holds is refused to those who do not wait", async () => {
  await using lock = await temporaryLock();
  await using holder = runScript(holderScript, [lock.file]);
  await holder.line();
  await assert.rejects(
    acquireLock(lock.file, { purpose: "asks", wait: false }),
    (error) =>
      error instanceof LockHeldError &&
      error.holder.startsWith(`process ${holder.process.pid}, which holds it for a test`),
  );
});

test("a process that was killed holds no lock", async () => {
  await using lock = await temporaryLock();
  await using holder = runScript(holderScript, [lock.file]);
  await holder.line();
  holder.process.kill("SIGKILL");
  await holder.ended;
  await using _ = await acquireLock(lock.file, { purpose: "asks", wait: false });
});

test("a lock keeps those of one process apart, too, and is free after its use", async () => {
  await using lock = await temporaryLock();
  const first = await acquireLock(lock.file, { purpose: "is first" });
  await assert.rejects(acquireLock(lock.file, { purpose: "asks", wait: false }), LockHeldError);
  await first[Symbol.asyncDispose]();
  await using _ = await acquireLock(lock.file, { purpose: "asks", wait: false });
});
