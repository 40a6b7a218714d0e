import { messageOf } from "@rookery/errors";
import { findStatusError, isBadRequest, isForbidden, isInvalid } from "@rookery/kube";
import { KindNotServedError, PhaseError } from "../errors.ts";

/** Most of what the API server refuses now it takes later, such as while a webhook starts. */
const retrySeconds = 5;
/** What is wrong with the object itself is seldom mended by waiting. */
const refusedRetrySeconds = 60;

/** What keeps a component from being applied; what is no answer of the API server is returned as it is. */
export function applyFailure(object: string, error: unknown): unknown {
  const status = findStatusError(error);
  if (status === undefined && !(error instanceof KindNotServedError)) return error;
  const why = messageOf(error);
  return new PhaseError("ProviderInstalled", "ApplyFailed", {
    message: `could not apply ${object}: ${why}`,
    retryAfterSeconds: isRefused(error) ? refusedRetrySeconds : retrySeconds,
    cause: error,
  });
}

/** Whether it is the object that the API server does not take. */
export function isRefused(error: unknown): boolean {
  return isInvalid(error) || isBadRequest(error) || isForbidden(error);
}
