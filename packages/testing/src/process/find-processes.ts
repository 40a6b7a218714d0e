import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import type { ProcessHandle } from "@rookery/embedded-node";
import { processIdentity } from "@rookery/embedded-node";

/** The processes whose arguments, the program's own name first, fulfil a condition. */
export function findProcesses(matches: (args: readonly string[]) => boolean): ProcessHandle[] {
  return listProcesses().flatMap(({ pid, args }) => {
    const identity = pid !== process.pid && matches(args) ? processIdentity(pid) : undefined;
    return identity === undefined ? [] : [{ pid, identity }];
  });
}

interface ListedProcess {
  readonly pid: number;
  readonly args: readonly string[];
}

function listProcesses(): ListedProcess[] {
  return process.platform === "linux" ? listFromProc() : listFromPs();
}

function listFromProc(): ListedProcess[] {
  const names = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return names.map((name) => ({ pid: Number(name), args: argumentsOf(name) }));
}

function argumentsOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").slice(0, -1);
  } catch {
    return [];
  }
}

/** Splits arguments at spaces. */
function listFromPs(): ListedProcess[] {
  const ps = spawnSync("ps", ["-axo", "pid=,command="], { encoding: "utf8" });
  const lines = (ps.stdout ?? "").split("\n").map((line) => line.trim().split(/\s+/));
  return lines.map(([pid = "", ...args]) => ({ pid: Number(pid), args }));
}
