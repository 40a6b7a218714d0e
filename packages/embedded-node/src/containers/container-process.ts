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
  /** Whether to wait for all output, also of processes that left the group; otherwise at most a second. */
  readonly waitsForOutput?: boolean;
  /** Called before the program starts, so that a later run of the node can find the process. */
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
 * The program starts only after its process id was registered: until then it waits at a gate, and ends
 * if this process ends before it opened the gate. The umask is that of container runtimes, not that of
 * this process.
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
  // Prevents an unhandled rejection while nothing waits for it yet.
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
  // Processes that left the group may keep the pipes open for ever.
  const patience = new AbortController();
  const late = delay(outputMs, undefined, { signal: patience.signal, ref: false }).catch(() => {});
  await Promise.race([closed, late]);
  patience.abort();
  child.stdout?.destroy();
  child.stderr?.destroy();
  return exitCode;
}

/** Ends the processes that the container's first process left behind, as in a real container. */
function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // The group is empty.
  }
}
