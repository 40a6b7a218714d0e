/**
 * The reaper: a process of its own that outlives the one that started it, however that one ends.
 * Its standard input is a pipe that only the parent holds; when the pipe closes, everything still on
 * record is ended or removed, the latest first. It is in a session of its own, hence Ctrl-C in the
 * parent's terminal does not reach it, and it ignores the signals that a shutdown sends around.
 */
import { spawnSync } from "node:child_process";
import { createInterface } from "node:readline";
import { endProcess } from "./end-process.ts";
import type { Guarded, ReaperMessage } from "./reaper-protocol.ts";
import { removeFolder } from "./remove-folder.ts";

const guarded = new Map<number, Guarded>();

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGPIPE"] as const) {
  process.on(signal, () => {});
}
process.stdout.on("error", () => {});

const lines = createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const message = JSON.parse(line) as ReaperMessage;
  if ("guard" in message) guarded.set(message.id, message.guard);
  else guarded.delete(message.release);
  process.stdout.write(`${message.id}\n`);
});
lines.on("close", reap);

async function reap(): Promise<void> {
  for (const guard of [...guarded.values()].reverse()) {
    await end(guard).catch(() => {});
  }
}

async function end(guard: Guarded): Promise<void> {
  switch (guard.kind) {
    case "process":
      return endProcess(guard, { grace: 0 });
    case "folder":
      return removeFolder(guard.path);
    case "command":
      spawnSync(guard.command, guard.args, { stdio: "ignore" });
  }
}
