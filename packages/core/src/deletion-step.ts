import { done, type Result } from "@rookery/runtime";

/** The progress of a deletion, with the reason and message of the condition Deleting. */
export interface DeletionStep {
  readonly reason: string;
  readonly message: string;
  readonly result: Result;
  /** Whether nothing is left to delete. */
  readonly isOver: boolean;
  readonly error?: unknown;
}

export const deletionCompleted: DeletionStep = {
  ...waiting("DeletionCompleted", "Deletion completed"),
  isOver: true,
};

export function waiting(reason: string, message: string, result: Result = done): DeletionStep {
  return { reason, message, result, isOver: false };
}

/** A step that failed; the condition has no more than the message, and the log has the error. */
export function failing(reason: string, message: string, error: unknown): DeletionStep {
  return { ...waiting(reason, message), error };
}
