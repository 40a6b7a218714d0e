import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, existsSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { LocalRunError } from "../errors.ts";
import { type LogFile, logFileOf, openLogFile } from "./log-file.ts";
import { withPortFlag } from "./messages.ts";
import { compileCacheEnvironment, mainFile } from "./own-process.ts";
import { currentRun, type LocalRun } from "./run-file.ts";

export interface BackgroundOptions {
  readonly data: string;
  /** The arguments of `rookery local up` in the background. */
  readonly args: readonly string[];
  readonly waitMs: number;
}

const pauseMs = 20;
/** The other process may be a "rookery local serve", which never reports that it is ready. */
const joinMs = 20_000;

/** Starts a background process, and resolves when it is ready. Throws LocalRunError. */
export async function startBackground(options: BackgroundOptions): Promise<LocalRun> {
  const { data, args, waitMs } = options;
  const log = openLogFile(data);
  const child = spawn(process.execPath, [mainFile(), "local", "up", "--foreground", ...args], {
    detached: true,
    env: { ...process.env, ...compileCacheEnvironment() },
    stdio: ["ignore", log.descriptor, log.descriptor],
  });
  closeSync(log.descriptor);
  let why: string | undefined;
  void whyEnded(child, log).then((text) => {
    why = text;
  });
  const run = await untilReady(data, waitMs, () => why !== undefined);
  child.unref();
  if (run) return run;
  if (why !== undefined) return joinOther(data, why, waitMs);
  child.kill("SIGTERM");
  throw new LocalRunError(
    `could not start within ${waitMs / 1000} s: it was not ready, and is ended; see its log, ${logFileOf(data)}, ` +
      "or give it more time by --wait",
  );
}

async function untilReady(data: string, waitMs: number, hasEnded: () => boolean) {
  const end = performance.now() + waitMs;
  for (;;) {
    const run = currentRun(data);
    if (run) return run;
    if (performance.now() >= end || hasEnded()) return undefined;
    await delay(pauseMs);
  }
}

/** Resolves to the reason when the process has ended. */
async function whyEnded(child: ChildProcess, { file, offset }: LogFile): Promise<string> {
  const how = await new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
  // The process may end long after it was ready, when its folder is gone.
  const text = existsSync(file) ? readFileSync(file).subarray(offset).toString("utf8") : "";
  const said = text
    .split(/^rookery: /m)
    .at(-1)
    ?.trim();
  return said && said !== text.trim() ? said : `it ended by ${how}; its log is ${file}`;
}

/** If another process that starts at the same time has the folder, waits for that one. */
async function joinOther(data: string, why: string, waitMs: number): Promise<LocalRun> {
  const isTaken = why.includes(" uses it; ");
  const run = isTaken && (await untilReady(data, Math.min(waitMs, joinMs), () => false));
  if (run) return run;
  throw new LocalRunError(withPortFlag(why));
}
