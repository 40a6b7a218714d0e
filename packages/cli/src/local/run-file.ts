import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isRunning, type ProcessHandle, replacePrivateFile } from "@rookery/local";

/** What a `rookery local up` says of itself, for the commands that look for it. */
export interface LocalRun extends ProcessHandle {
  readonly url: string;
  readonly port: number;
  readonly kubeconfig: string;
  /** The name of its node. */
  readonly node: string;
  /** The Kubernetes that it behaves like. */
  readonly version: string;
  /** When it was ready. */
  readonly since: string;
}

const fileName = "local.json";

/** Only who has the folder's store writes it, once all of it is ready. */
export function writeRun(folder: string, run: LocalRun): void {
  replacePrivateFile(join(folder, fileName), `${JSON.stringify(run, undefined, 2)}\n`);
}

/** The last one, whether it still runs or not. */
export function lastRun(folder: string): LocalRun | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, fileName), "utf8"));
  } catch {
    return undefined;
  }
}

/** The one that runs now and is ready. */
export function currentRun(folder: string): LocalRun | undefined {
  const run = lastRun(folder);
  return run && isRunning(run) ? run : undefined;
}
