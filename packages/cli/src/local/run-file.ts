import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isRunning, type ProcessHandle, replacePrivateFile } from "@rookery/local";

/** A running `rookery local up`, as other commands find it. */
export interface LocalRun extends ProcessHandle {
  readonly url: string;
  readonly port: number;
  readonly kubeconfig: string;
  readonly node: string;
  /** The version of Kubernetes that it serves. */
  readonly version: string;
  readonly since: string;
}

const fileName = "local.json";

/** Is called by the process that has locked the store, when it is ready. */
export function writeRun(folder: string, run: LocalRun): void {
  replacePrivateFile(join(folder, fileName), `${JSON.stringify(run, undefined, 2)}\n`);
}

/** The last run, also if it has ended. */
export function lastRun(folder: string): LocalRun | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, fileName), "utf8"));
  } catch {
    return undefined;
  }
}

/** The run that is ready now. */
export function currentRun(folder: string): LocalRun | undefined {
  const run = lastRun(folder);
  return run && isRunning(run) ? run : undefined;
}
