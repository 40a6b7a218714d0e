import { isAlreadyExists, isConflict, isNotFound } from "@rookery/kube";

/** Whether a write failed because another one came first. */
export function isConcurrentWrite(error: unknown): boolean {
  return isConflict(error) || isAlreadyExists(error) || isNotFound(error);
}
