import type { RollOut } from "../manifests/deployment-state.ts";
import { type Revision, revisionName } from "./revision.ts";

/** The revision of a workload, by its annotations and status. */
export interface RunningRevision {
  /** The name of the revision in its template. */
  readonly name: string | undefined;
  readonly rollOut: RollOut;
  /** The last one that became ready. */
  readonly lastGood: Revision | undefined;
}

export interface RevisionChoice {
  readonly revision: Revision;
  readonly lastGood: Revision | undefined;
  /** The name of the desired revision, where it is known never to become ready. */
  readonly failed: string | undefined;
}

/**
 * Chooses the desired revision, or the last good one if the desired one has failed, now or before. Without a
 * last good revision there is no roll-back.
 */
export function chooseRevision(
  desired: Revision,
  running: RunningRevision | undefined,
  failedBefore: string | undefined,
): RevisionChoice {
  const name = revisionName(desired);
  const lastGood = lastGoodOf(desired, running);
  const isRunning = running?.name === name;
  const hasWay = lastGood !== undefined && revisionName(lastGood) !== name;
  const fails = failedBefore === name || (isRunning && running?.rollOut === "stalled");
  if (fails && hasWay) return { revision: lastGood, lastGood, failed: name };
  return { revision: desired, lastGood, failed: undefined };
}

function lastGoodOf(desired: Revision, running: RunningRevision | undefined) {
  const isGood = running?.name === revisionName(desired) && running.rollOut === "complete";
  return isGood ? desired : running?.lastGood;
}
