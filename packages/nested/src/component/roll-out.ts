import { type Finding, isFalse, type KubeObject } from "@rookery/kube";
import type { ComponentObject } from "../component-object.ts";
import type { RollOut } from "../manifests/deployment.ts";
import { lastGoodRevision, type Revision, revisionName, runningRevisionName } from "./revision.ts";
import type { ComponentScope } from "./scope.ts";

export interface RunningRevision {
  readonly name: string | undefined;
  readonly rollOut: RollOut;
  /** The last revision that became ready. */
  readonly lastGood: Revision | undefined;
}

/** The revision of a live workload. */
export function runningRevision(live: KubeObject, rollOut: RollOut): RunningRevision {
  return { name: runningRevisionName(live), rollOut, lastGood: lastGoodRevision(live) };
}

export interface RevisionChoice {
  readonly revision: Revision;
  readonly lastGood: Revision | undefined;
  /** The name of the desired revision, if it never became ready. */
  readonly failed: string | undefined;
}

/** Chooses the desired revision, or the last good one if the desired one has failed. */
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

/**
 * Writes the failed revision and the cause to the status before the roll-back, which deletes the pods that show
 * the cause: after a crash, the manager does not try the revision again. Returns the cause.
 */
export async function recordFailure<T extends ComponentObject>(
  object: T,
  { failed, revision }: RevisionChoice,
  {
    commit,
    recorder,
    findCause,
  }: Pick<ComponentScope<T>, "commit" | "recorder"> & {
    readonly findCause: () => Promise<string | undefined>;
  },
): Promise<string | undefined> {
  if (failed === undefined) return undefined;
  if (failed === object.status?.failedRevision) return object.status.failedRevisionCause;
  const cause = await findCause();
  const status = { ...object.status, failedRevision: failed, failedRevisionCause: cause };
  await commit(object, { ...object, status });
  const what = cause ? `never became ready (${cause})` : "never became ready";
  recorder.event(object, {
    type: "Warning",
    reason: "RolledBack",
    note: `The revision of the spec ${what}; rolling back to ${revision.version}`,
  });
  return cause;
}

/** The finding of a component that was rolled back. */
export function rolledBack({
  desired,
  running,
  cause,
}: {
  readonly desired: Revision;
  readonly running: Revision;
  readonly cause: string | undefined;
}): Finding {
  const message = `the revision of the spec (${desired.version}) never became ready; ${running.version} keeps running until the spec changes`;
  return isFalse("RolledBack", cause ? `${message}; the failure: ${cause}` : message);
}

/** Emits an event when a revision replaces another one. */
export function reportRollOut(
  object: ComponentObject,
  { running, revision }: { readonly running: string | undefined; readonly revision: Revision },
  { recorder }: Pick<ComponentScope, "recorder">,
): void {
  if (running === undefined || running === revisionName(revision)) return;
  const note = `Updating pods to ${revision.version}`;
  recorder.event(object, { type: "Normal", reason: "RollingOut", note });
}
