import { isAlreadyExists, isConflict, isNotFound } from "@rookery/kube";

/**
 * Whether a write failed because someone else was faster. Nothing is to be done then: what they wrote
 * is an event, after which a controller looks again.
 */
export function isOvertaken(error: unknown): boolean {
  return isAlreadyExists(error) || isConflict(error) || isNotFound(error);
}
