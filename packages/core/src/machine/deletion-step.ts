import type { Machine } from "@rookery/api";
import type { Clock } from "@rookery/kube";
import { done, type Result } from "@rookery/runtime";

type Deletion = NonNullable<NonNullable<Machine["status"]>["deletion"]>;

/** How far the deletion of a Machine is. */
export interface DeletionStep {
  readonly reason: string;
  readonly message: string;
  readonly result: Result;
  readonly isOver: boolean;
  /** When the steps that may take long began. */
  readonly deletion?: Deletion;
  readonly error?: unknown;
}

export function waiting(reason: string, message: string, result: Result = done): DeletionStep {
  return { reason, message, result, isOver: false };
}

/** Whether a step has had its time; one without a limit has not. */
export function isOverdue(
  began: string | undefined,
  seconds: number | undefined,
  clock: Clock,
): boolean {
  if (!began || !seconds) return false;
  return clock().getTime() - Date.parse(began) >= seconds * 1000;
}
