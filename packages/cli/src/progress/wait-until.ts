import { setTimeout as delay } from "node:timers/promises";
import { WaitError } from "../errors.ts";

export interface WaitOptions {
  /** "the operator to be available". */
  readonly what: string;
  /** What to look at where it takes too long. */
  readonly wayOut: string;
  readonly timeoutSeconds: number;
}

/** How often is looked; a cluster is not asked more often by a command that somebody waits for. */
export const lookMilliseconds = 500;

/** Errors: WaitError when the time is over, and whatever `isSo` rejects with. */
export async function waitUntil(
  isSo: () => Promise<boolean>,
  { what, wayOut, timeoutSeconds }: WaitOptions,
): Promise<void> {
  const end = Date.now() + timeoutSeconds * 1000;
  while (!(await isSo())) {
    if (Date.now() >= end) throw new WaitError(what, `after ${timeoutSeconds} s; ${wayOut}`);
    await delay(lookMilliseconds);
  }
}
