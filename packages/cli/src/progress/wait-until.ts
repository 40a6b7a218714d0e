import { setTimeout as delay } from "node:timers/promises";
import { WaitError } from "../errors.ts";

export interface WaitOptions {
  /** "the operator to be available". */
  readonly what: string;
  /** Advice for the case that it takes too long. */
  readonly wayOut: string;
  readonly timeoutSeconds: number;
}

/** The pause between two requests of a command that waits. */
export const lookMilliseconds = 500;

/** Throws WaitError at the time limit, and errors of `isDone`. */
export async function waitUntil(
  isDone: () => Promise<boolean>,
  { what, wayOut, timeoutSeconds }: WaitOptions,
): Promise<void> {
  const end = Date.now() + timeoutSeconds * 1000;
  while (!(await isDone())) {
    if (Date.now() >= end) throw new WaitError(what, `after ${timeoutSeconds} s; ${wayOut}`);
    await delay(lookMilliseconds);
  }
}
