import { type Finding, isFalse } from "@rookery/kube";
import type { ComponentObject } from "../component-object.ts";
import type { RevisionChoice } from "./choose-revision.ts";

import { type Revision, revisionName } from "./revision.ts";
import type { ComponentScope } from "./scope.ts";

/**
 * Writes the failed revision and the cause to the status before the roll-back: a manager that continues after a
 * crash would otherwise roll the revision out again, and the pods that show the cause would be gone. Returns the
 * cause, where it is known.
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
    note: `What the spec says ${what}; going back to ${revision.version}`,
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
  const message = `what the spec says (${desired.version}) never became ready; ${running.version} runs as before, until the spec changes`;
  return isFalse("RolledBack", cause ? `${message}; the failure: ${cause}` : message);
}

/** Emits an event when pods go from one revision to another, but not for the first revision. */
export function reportRollOut(
  object: ComponentObject,
  { running, revision }: { readonly running: string | undefined; readonly revision: Revision },
  { recorder }: Pick<ComponentScope, "recorder">,
): void {
  if (running === undefined || running === revisionName(revision)) return;
  const note = `Bringing pods to ${revision.version} as the spec says`;
  recorder.event(object, { type: "Normal", reason: "RollingOut", note });
}
