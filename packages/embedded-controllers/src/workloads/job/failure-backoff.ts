import type { Pod } from "../shared/objects.ts";
import { finishTime } from "./finish-time.ts";

const firstMs = 10_000;
const longestMs = 10 * 60_000;

/** How often pods have failed since the last one that succeeded, and when the last one did. */
export interface FailureRecord {
  readonly failures: number;
  /** In milliseconds. */
  readonly last: number;
}

export const noFailures: FailureRecord = { failures: 0, last: 0 };

/** A record with what pods have done since it was made. */
export function recordWith(
  record: FailureRecord,
  succeeded: readonly Pod[],
  failed: readonly Pod[],
): FailureRecord {
  if (succeeded.length === 0 && failed.length === 0) return record;
  const successes = succeeded.map(finishTime);
  const since = Math.max(...successes);
  const failures = failed.map(finishTime).filter((time) => successes.length === 0 || time > since);
  const before = successes.length === 0 ? record.failures : 0;
  if (failures.length === 0) return successes.length === 0 ? record : noFailures;
  return { failures: before + failures.length, last: Math.max(...failures) };
}

/** In how many seconds the next pod may be made. */
export function backoffSeconds({ failures, last }: FailureRecord, now: Date): number {
  if (failures === 0) return 0;
  const delay = Math.min(firstMs * 2 ** Math.min(failures - 1, 30), longestMs);
  return Math.max(0, delay - (now.getTime() - last)) / 1000;
}
