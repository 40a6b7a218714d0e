import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import type { Readable, Writable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import {
  type ProcessHandle,
  processIdentity,
  signalProcess,
} from "../processes/process-identity.ts";

export interface ProcessOptions {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Whether it can be talked to; it reads nothing otherwise. */
  readonly stdin: boolean;
  /** Whether all output is waited for, also of those who left its group; a second at most otherwise. */
  readonly waitsForOutput?: boolean;
  /** Is told before the program begins, so that a later run of the node can find it. */
  readonly register?: (handle: ProcessHandle) => void;
}

/** A process in a group of its own. */
export interface ContainerProcess extends ProcessHandle {
  readonly stdin: Writable | undefined;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Its exit code, 128 and the signal's number where one ended it; all of its group is gone. */
  readonly ended: Promise<number>;
  signal(name: NodeJS.Signals): void;
  /** Ends it and its group at once. */
  kill(): void;
}

/**
 * Whoever starts it is told its number before the program begins: until then it waits at a gate, and
 * where this process ends before it opened the gate, it ends too. The files that it makes have the modes that
 * container runtimes give them, whatever those of this process have.
 */
const gate = 'umask 022 && read -r _ <&3 && exec "$@" 3<&-';

/** How long output may take to come after the end. */
const outputMs = 1_000;

export async function startProcess(options: ProcessOptions): Promise<ContainerProcess> {
  const { command, env, cwd, stdin, register } = options;
  const child = spawn("/bin/sh", ["-c", gate, "sh", ...command], {
    detached: true,
    stdio: [stdin ? "pipe" : "ignore", "pipe", "pipe", "pipe"],
    env,
    cwd,
  });
  const ended = endOf(child, options.waitsForOutput ?? false);
  // Nobody may wait for it yet; whoever does hears of it.
  ended.catch(() => {});
  await spawned(child);
  const {
    pid = 0,
    stdout,
    stderr,
  } = child as ChildProcess & { stdout: Readable; stderr: Readable };
  const handle = { pid, identity: processIdentity(pid) ?? "" };
  child.stdin?.on("error", () => {});
  const opener = child.stdio[3] as Writable;
  opener.on("error", () => {});
  try {
    register?.(handle);
  } catch (error) {
    opener.destroy();
    throw error;
  }
  opener.end("\n");
  return {
    ...handle,
    stdin: child.stdin ?? undefined,
    stdout,
    stderr,
    ended,
    signal: (name) => void signalProcess(handle, name),
    kill: () => void signalProcess(handle, "SIGKILL", { group: true }),
  };
}

async function spawned(child: ChildProcess): Promise<void> {
  await once(child, "spawn");
}

async function endOf(child: ChildProcess, waitsForOutput: boolean): Promise<number> {
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const [code, signal] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
  endGroup(child.pid);
  const exitCode = code ?? 128 + (signal ? constants.signals[signal] : 0);
  if (waitsForOutput) {
    await closed;
    return exitCode;
  }
  // Who left the group may keep the pipes open for as long as it likes.
  const patience = new AbortController();
  const late = delay(outputMs, undefined, { signal: patience.signal, ref: false }).catch(() => {});
  await Promise.race([closed, late]);
  patience.abort();
  child.stdout?.destroy();
  child.stderr?.destroy();
  return exitCode;
}

/** What a container's first process leaves behind ends with it, as in a real container. */
function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // Nobody was left.
  }
}
