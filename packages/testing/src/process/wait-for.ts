import { setTimeout as delay } from "node:timers/promises";
import { TimedOutError } from "../errors.ts";

export interface WaitOptions {
  /** For the error: "the API server to be ready". */
  readonly what: string;
  readonly timeout?: number;
  /** Milliseconds between an answer and the next question, at least; see `pauseAfter`. */
  readonly interval?: number;
  /** Thrown errors that end the wait at once instead of counting as "not yet". */
  readonly fatal?: (error: unknown) => boolean;
  /** Added to the error of a timeout. */
  readonly detail?: () => string;
}

/**
 * Asks until the answer is neither undefined nor false, and returns it. An error counts as "not
 * yet" and becomes the cause when the time is over.
 */
export async function waitFor<T>(
  ask: () => T | Promise<T>,
  options: WaitOptions,
): Promise<Exclude<T, undefined | false>> {
  const timeout = options.timeout ?? 60_000;
  const began = performance.now();
  for (;;) {
    const asked = performance.now();
    let cause: unknown;
    try {
      const answer = await ask();
      if (answer !== undefined && answer !== false) return answer as Exclude<T, undefined | false>;
    } catch (error) {
      if (options.fatal?.(error)) throw error;
      cause = error;
    }
    const now = performance.now();
    if (now > began + timeout) throw timedOut(options, { timeout, cause });
    await delay(pauseAfter({ waited: now - began, took: now - asked }, options.interval));
  }
}

/**
 * How long to wait before the next question: asking must not take the processor from what is waited
 * for. What was long in coming may be seen a fiftieth later, and what takes long to ask (`kubectl`,
 * a dozen lists) is asked for a third of the time.
 */
export function pauseAfter(
  { waited, took }: { readonly waited: number; readonly took: number },
  interval = Math.min(Math.max(waited / 50, 50), 250),
): number {
  return Math.max(interval, Math.min(took * 2, 1000));
}

function timedOut(options: WaitOptions, how: { timeout: number; cause: unknown }): TimedOutError {
  const reasons = [how.cause instanceof Error ? how.cause.message : "", options.detail?.() ?? ""];
  return new TimedOutError(options.what, {
    milliseconds: how.timeout,
    detail: reasons.filter((reason) => reason !== "").join("\n"),
    cause: how.cause,
  });
}
