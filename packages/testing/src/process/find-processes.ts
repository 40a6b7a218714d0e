import { readdirSync, readFileSync } from "node:fs";
import type { ProcessHandle } from "./end-process.ts";
import { processIdentity } from "./identity.ts";

/** The processes (of Linux) whose arguments, the program's own name first, fulfil a condition. */
export function findProcesses(matches: (args: readonly string[]) => boolean): ProcessHandle[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((name) => {
      const identity = matches(argumentsOf(name)) ? processIdentity(Number(name)) : undefined;
      return identity === undefined ? [] : [{ pid: Number(name), identity }];
    });
}

function argumentsOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").slice(0, -1);
  } catch {
    return [];
  }
}
