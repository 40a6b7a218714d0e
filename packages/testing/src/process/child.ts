import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { ProcessEndedError } from "../errors.ts";
import { endProcess } from "./end-process.ts";
import { processIdentity } from "./identity.ts";
import { lastLines } from "./last-lines.ts";
import { guard } from "./reaper.ts";

export interface ChildOptions {
  /** For messages, and the log's name unless `log` says otherwise. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** The file that takes what it prints; appended to. */
  readonly log: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** Milliseconds between SIGTERM and SIGKILL in `stop`. */
  readonly grace?: number;
}

/** A process of ours. It never outlives this process, however this process ends. */
export interface Child extends AsyncDisposable {
  readonly name: string;
  readonly pid: number;
  readonly log: string;
  /** How it ended ("exit code 1", "SIGKILL"); undefined while it runs. */
  readonly ending: string | undefined;
  /** Resolves when it has ended by itself or by anyone; until then this program goes on. */
  whenEnded(): Promise<void>;
  /** Ends it with its process group and returns when it is gone. More than one call is fine. */
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
  const pid = await started(child, options);
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const handle = { pid, identity: processIdentity(pid) ?? "" };
  const release = await guard({ kind: "process", ...handle });
  child.stdin?.end("\n");
  ended.then(release).catch(() => {});
  // A child alone keeps no program running: a test that forgets it still ends, and it with the test.
  child.unref();

  const end = async (grace: number) => {
    child.ref();
    await endProcess(handle, { grace });
    await ended;
  };
  const ending = () => describeEnding(child);
  return {
    name: options.name,
    pid,
    log: options.log,
    whenEnded() {
      child.ref();
      return ended;
    },
    get ending() {
      return ending();
    },
    stop: () => end(options.grace ?? 10_000),
    kill: () => end(0),
    assertRunning() {
      const how = ending();
      if (how === undefined) return;
      throw new ProcessEndedError(options.name, { ending: how, log: lastLines(options.log) });
    },
    [Symbol.asyncDispose]: () => end(options.grace ?? 10_000),
  };
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

function started(child: ChildProcess, options: ChildOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    child.stdin?.on("error", () => {});
    child.once("spawn", () => resolve(child.pid ?? 0));
    child.once("error", (cause) =>
      reject(new Error(`could not start ${options.name}: ${cause.message}`, { cause })),
    );
  });
}

function describeEnding(child: ChildProcess): string | undefined {
  return child.exitCode === null ? (child.signalCode ?? undefined) : `exit code ${child.exitCode}`;
}
