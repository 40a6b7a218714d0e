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
  /** Those of `rookery local up`, for the process that stays. */
  readonly args: readonly string[];
  readonly waitMs: number;
}

const pauseMs = 20;
/** Who has the folder may be a "rookery local serve", which never says that it is ready. */
const joinMs = 20_000;

/** Starts the process that stays, and resolves when all of it is ready. Errors: LocalRunError. */
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

/** Its last words, when it has ended before it was ready. */
async function whyEnded(child: ChildProcess, { file, offset }: LogFile): Promise<string> {
  const how = await new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
  // It may end long after it was ready, and its folder be gone by then.
  const text = existsSync(file) ? readFileSync(file).subarray(offset).toString("utf8") : "";
  const said = text
    .split(/^rookery: /m)
    .at(-1)
    ?.trim();
  return said && said !== text.trim() ? said : `it ended by ${how}; its log is ${file}`;
}

/** Of two that start at the same time, one has the folder: the other one is content with it. */
async function joinOther(data: string, why: string, waitMs: number): Promise<LocalRun> {
  const isTaken = why.includes(" uses it; ");
  const run = isTaken && (await untilReady(data, Math.min(waitMs, joinMs), () => false));
  if (run) return run;
  throw new LocalRunError(withPortFlag(why));
}
