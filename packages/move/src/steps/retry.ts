import { setTimeout as delay } from "node:timers/promises";
import {
  isConflict,
  isInternalError,
  isServerTimeout,
  isServiceUnavailable,
  isTimeout,
  isTooManyRequests,
} from "@rookery/kube";

const attempts = 6;

/** Retries transient errors: a starting webhook, a broken connection, a conflict. */
export async function retry<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === attempts || !isTransient(error)) throw error;
      await delay(100 * 2 ** attempt);
    }
  }
}

function isTransient(error: unknown): boolean {
  if (error instanceof Error && error.name === "RequestError") return true;
  return [
    isInternalError,
    isServerTimeout,
    isServiceUnavailable,
    isTimeout,
    isTooManyRequests,
    isConflict,
  ].some((is) => is(error));
}
