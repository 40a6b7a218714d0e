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

/** Continue from the last resourceVersion, or start again with a list. */
export type Reaction = "resume" | "relist";

/**
 * The reaction to a failed watch. If the server cannot be reached or has a temporary problem, the resourceVersion stays
 * valid, and another list would only add load. If the server does not know the resourceVersion any more, or not yet (a
 * restored etcd), or refuses the watch as such, only a list helps.
 */
export function reactionTo(error: unknown): Reaction {
  if (findStatusError(error) === undefined) return "resume";
  if (isExpired(error) || isResourceVersionTooLarge(error)) return "relist";
  return temporary.some((matches) => matches(error)) ? "resume" : "relist";
}

/** Failures that are temporary, with or without an action of an administrator. */
const temporary: readonly ((error: unknown) => boolean)[] = [
  isTooManyRequests,
  isInternalError,
  isServiceUnavailable,
  isTimeout,
  isServerTimeout,
  isUnauthorized,
  isForbidden,
];

/** Whether the server no longer has the changes since the resourceVersion. */
export function isExpired(error: unknown): boolean {
  return isResourceExpired(error) || isGone(error);
}

function isResourceVersionTooLarge(error: unknown): boolean {
  return findStatusCause(error, "ResourceVersionTooLarge") !== undefined;
}

/**
 * Whether the server refuses to start a watch with the existing objects (WatchList). A temporary failure does not show
 * that.
 */
export function refusesInitialEvents(error: unknown): boolean {
  return reactionTo(error) === "relist" && !isExpired(error) && !isResourceVersionTooLarge(error);
}
