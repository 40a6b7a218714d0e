import type { RevisionChoice } from "./choose-revision.ts";
import type { ComponentObject } from "./component-object.ts";
import type { ComponentDependencies } from "./dependencies.ts";
import { type Revision, revisionName } from "./revision.ts";

/**
 * Writes down what has failed before it is taken back: whoever goes on after a crash would else take
 * it for something new, and try it again.
 */
export async function recordFailure<T extends ComponentObject>(
  object: T,
  { failed, revision }: RevisionChoice,
  { commit, recorder }: Pick<ComponentDependencies<T>, "commit" | "recorder">,
): Promise<void> {
  if (failed === undefined || failed === object.status?.failedRevision) return;
  await commit(object, { ...object, status: { ...object.status, failedRevision: failed } });
  recorder.event(object, {
    type: "Warning",
    reason: "RolledBack",
    note: `What the spec says never became ready; going back to ${revision.version}`,
  });
}

/** Tells that pods are brought from one revision to another; the first one goes without saying. */
export function tellOfRollOut(
  object: ComponentObject,
  { running, revision }: { readonly running: string | undefined; readonly revision: Revision },
  { recorder }: Pick<ComponentDependencies<never>, "recorder">,
): void {
  if (running === undefined || running === revisionName(revision)) return;
  const note = `Bringing pods to ${revision.version} as the spec says`;
  recorder.event(object, { type: "Normal", reason: "RollingOut", note });
}
