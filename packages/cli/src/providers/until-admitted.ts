import { setTimeout as delay } from "node:timers/promises";
import { isInternalError, isNotFound } from "@rookery/kube";
import { WaitError } from "../errors.ts";
import { lookMilliseconds } from "../progress/wait-until.ts";

export interface AdmissionOptions {
  /** "CoreProvider cluster-api to be taken". */
  readonly what: string;
  /** By default 60. */
  readonly timeoutSeconds?: number;
  /** Whether the server may not serve the kind yet. */
  readonly isNew?: boolean;
}

/**
 * Writes a provider object, and retries while the operator's webhook can't be reached. Throws WaitError
 * at the time limit, and the error of a rejection.
 */
export async function untilAdmitted<T>(
  write: () => Promise<T>,
  { what, timeoutSeconds = 60, isNew = false }: AdmissionOptions,
): Promise<T> {
  const end = Date.now() + timeoutSeconds * 1000;
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (!isUnheard(error) && !(isNew && isNotFound(error))) throw error;
      if (Date.now() >= end) {
        const { message } = error as Error;
        const way = "see whether the operator's pods run and can be reached";
        throw new WaitError(what, `after ${timeoutSeconds} s (${message}); ${way}`);
      }
    }
    await delay(lookMilliseconds);
  }
}

/** Whether the API server could not call the operator's webhook. */
function isUnheard(error: unknown): boolean {
  return isInternalError(error) && /failed calling webhook/.test(String(error));
}
