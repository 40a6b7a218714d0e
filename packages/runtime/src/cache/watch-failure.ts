import {
  findStatusCause,
  findStatusError,
  isForbidden,
  isGone,
  isInternalError,
  isResourceExpired,
  isServerTimeout,
  isServiceUnavailable,
  isTimeout,
  isTooManyRequests,
  isUnauthorized,
} from "@rookery/kube";

/** Go on from the last resourceVersion, or begin again with a list. */
export type Reaction = "resume" | "relist";

/**
 * What to do after a watch has failed. Where the server could not be reached or is not well, the
 * resourceVersion is still good: to list everything again would only add to its troubles. Where it
 * knows the resourceVersion no more, or not yet (a restored etcd), or refuses the watch as such, only
 * a list helps.
 */
export function reactionTo(error: unknown): Reaction {
  if (findStatusError(error) === undefined) return "resume";
  if (isExpired(error) || isResourceVersionTooLarge(error)) return "relist";
  return passing.some((matches) => matches(error)) ? "resume" : "relist";
}

/** Failures that pass, with or without somebody's help. */
const passing: readonly ((error: unknown) => boolean)[] = [
  isTooManyRequests,
  isInternalError,
  isServiceUnavailable,
  isTimeout,
  isServerTimeout,
  isUnauthorized,
  isForbidden,
];

/** Whether the server no longer has what happened since the resourceVersion. */
export function isExpired(error: unknown): boolean {
  return isResourceExpired(error) || isGone(error);
}

function isResourceVersionTooLarge(error: unknown): boolean {
  return findStatusCause(error, "ResourceVersionTooLarge") !== undefined;
}

/**
 * Whether the server refuses to begin a watch with the objects that are there (WatchList): a passing
 * failure says nothing of that.
 */
export function refusesInitialEvents(error: unknown): boolean {
  return (
    findStatusError(error) !== undefined &&
    !isExpired(error) &&
    !isResourceVersionTooLarge(error) &&
    !passing.some((matches) => matches(error))
  );
}
