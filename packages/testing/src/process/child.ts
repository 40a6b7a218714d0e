import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import type { ProcessHandle } from "@rookery/embedded-node";
import { processIdentity } from "@rookery/embedded-node";
import { ProcessEndedError } from "../errors.ts";
import { endProcess } from "./end-process.ts";
import { lastLines } from "./last-lines.ts";
import { guard } from "./reaper.ts";

export interface ChildOptions {
  /** For messages. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** The file that takes what it prints; appended to. */
  readonly log: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** Milliseconds between SIGTERM and SIGKILL in `stop`; 10 s by default. */
  readonly grace?: number;
}

/** A process of ours. It never outlives this process, however this process ends. */
export interface Child extends ProcessHandle, AsyncDisposable {
  readonly name: string;
  readonly log: string;
  /** How it ended ("exit code 1", "SIGKILL"); undefined while it runs. */
  readonly ending: string | undefined;
  /** Aborted when it has ended. */
  readonly ended: AbortSignal;
  /** Resolves when it has ended, by itself or by anyone; until then this program goes on. */
  whenEnded(): Promise<void>;
  /** Ends it and returns when it is gone. More than one call is fine. */
  stop(): Promise<void>;
  /** Like `stop`, without the chance to finish anything. */
  kill(): Promise<void>;
  /** Throws with the last log lines if it has ended. */
  assertRunning(): void;
}

/**
 * Starts a process in a group of its own, so that Ctrl-C in a terminal does not reach it.
 * It waits at a gate until the reaper has it on record: however soon this process is killed, either
 * the reaper knows the child or the child sees the gate's pipe close and ends by itself.
 */
export async function startChild(options: ChildOptions): Promise<Child> {
  await mkdir(dirname(options.log), { recursive: true });
  const child = spawnGated(options);
  const started = new StartedChild(options, child, await whenSpawned(child, options));
  try {
    await started.guard();
  } catch (error) {
    // The gate closes, and the child ends without having begun.
    child.stdin?.destroy();
    throw error;
  }
  child.stdin?.end("\n");
  return started;
}

class StartedChild implements Child {
  readonly name: string;
  readonly log: string;
  readonly #child: ChildProcess;
  readonly #handle: ProcessHandle;
  readonly #grace: number;
  readonly #ended = new AbortController();
  readonly #end: Promise<void>;

  constructor(options: ChildOptions, child: ChildProcess, pid: number) {
    this.name = options.name;
    this.log = options.log;
    this.#child = child;
    this.#handle = { pid, identity: processIdentity(pid) ?? "" };
    this.#grace = options.grace ?? 10_000;
    this.#end = new Promise((resolve) => child.once("exit", () => resolve()));
    child.once("exit", () => this.#ended.abort());
    // A child alone keeps no program running: a test that forgets it still ends, and it with the test.
    child.unref();
  }

  get pid(): number {
    return this.#handle.pid;
  }

  get identity(): string {
    return this.#handle.identity;
  }

  get ending(): string | undefined {
    const { exitCode, signalCode } = this.#child;
    return exitCode === null ? (signalCode ?? undefined) : `exit code ${exitCode}`;
  }

  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  /** From now on the reaper ends it if this process cannot. */
  async guard(): Promise<void> {
    const release = await guard({ kind: "process", ...this.#handle });
    this.#end.then(release).catch(() => {});
  }

  whenEnded(): Promise<void> {
    this.#child.ref();
    return this.#end;
  }

  stop(): Promise<void> {
    return this.#endWithin(this.#grace);
  }

  kill(): Promise<void> {
    return this.#endWithin(0);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  assertRunning(): void {
    const { ending } = this;
    if (ending === undefined) return;
    throw new ProcessEndedError(this.name, { ending, log: lastLines(this.log) });
  }

  async #endWithin(grace: number): Promise<void> {
    await endProcess(this.#handle, { grace });
    await this.whenEnded();
  }
}

function spawnGated(options: ChildOptions): ChildProcess {
  const log = openSync(options.log, "a", 0o600);
  try {
    const gate = 'read -r _ && exec "$@" < /dev/null';
    return spawn("/bin/sh", ["-c", gate, "sh", options.command, ...options.args], {
      detached: true,
      stdio: ["pipe", log, log],
      env: options.env ?? process.env,
      cwd: options.cwd,
    });
  } finally {
    closeSync(log);
  }
}

function whenSpawned(child: ChildProcess, options: ChildOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    child.stdin?.on("error", () => {});
    child.once("spawn", () => resolve(child.pid ?? 0));
    child.once("error", (cause) =>
      reject(new Error(`could not start ${options.name}: ${cause.message}`, { cause })),
    );
  });
}
