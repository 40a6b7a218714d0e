import { setTimeout as delay } from "node:timers/promises";
import { isInternalError, isNotFound } from "@rookery/kube";
import { WaitError } from "../errors.ts";
import { lookMilliseconds } from "../progress/wait-until.ts";

export interface AdmissionOptions {
  /** "CoreProvider cluster-api to be taken". */
  readonly what: string;
  /** A minute where absent. */
  readonly timeoutSeconds?: number;
  /** Whether the kind may not be served yet. */
  readonly isNew?: boolean;
}

/**
 * Writes a provider object. The operator has to admit it: where its pods start or change just now, it
 * is tried again. Errors: WaitError when the time is over; what it is refused for.
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

/** The API server could not ask the operator. */
function isUnheard(error: unknown): boolean {
  return isInternalError(error) && /failed calling webhook/.test(String(error));
}
