import { messageOf } from "@rookery/errors";
import { isAlreadyExists } from "@rookery/kube";
import { kinds } from "../shared/kinds.ts";
import { writerOf } from "../shared/object-writer.ts";
import type { Pod, StatefulSet } from "../shared/objects.ts";
import { emit, type Scope, warn } from "../shared/workload-context.ts";
import { createClaims, ownersAreWanted, setOwners } from "./set-claims.ts";
import { hasClaims, hasIdentity, identityLabels, ordinalOf, withClaims } from "./set-pods.ts";

type Verb = "create" | "update" | "delete";

/** Runs an operation on a pod of the set, and records its outcome as an event. */
async function withEvents(
  verb: Verb,
  { set, pod, scope }: Target,
  act: () => Promise<void>,
): Promise<void> {
  const what = `${verb} Pod ${pod.metadata.name} in StatefulSet ${set.metadata.name}`;
  const reason = verb.charAt(0).toUpperCase() + verb.slice(1);
  try {
    await act();
    emit(scope, set, `Successful${reason}`, `${what} successful`);
  } catch (error) {
    const isTaken = verb === "create" && isAlreadyExists(error);
    if (!isTaken) warn(scope, set, `Failed${reason}`, `${what} failed error: ${messageOf(error)}`);
    throw error;
  }
}

export interface Target {
  readonly set: StatefulSet;
  readonly pod: Pod;
  readonly scope: Scope;
}

/** Creates a pod, after its claims. */
export function createSetPod(target: Target): Promise<void> {
  const { set, pod, scope } = target;
  const { status: _, ...planned } = pod;
  return withEvents("create", target, async () => {
    await createClaims(set, pod, scope);
    await writerOf(scope, kinds.pods).create(planned);
    await setOwners(set, pod, scope);
  });
}

export function deleteSetPod(target: Target): Promise<void> {
  const { pod, scope } = target;
  return withEvents("delete", target, () => writerOf(scope, kinds.pods).delete(pod));
}

/** Claims that a pending pod waits for may have been lost. */
export async function restoreClaims({ set, pod, scope }: Target): Promise<void> {
  await createClaims(set, pod, scope);
  await setOwners(set, pod, scope);
}

/** Gives a pod, such as one that was adopted, the name and the claims that it has in the set. */
export async function repairSetPod(target: Target): Promise<void> {
  const { set, pod, scope } = target;
  const ordinal = ordinalOf(pod, set);
  const isWhole = hasIdentity(pod) && hasClaims(pod, set, ordinal);
  if (isWhole && ownersAreWanted(set, pod, scope)) return;
  const labels = { ...pod.metadata.labels, ...identityLabels(set, ordinal) };
  const spec = withClaims(pod.spec, set, ordinal);
  const repaired = { ...pod, metadata: { ...pod.metadata, labels }, spec };
  await withEvents("update", target, async () => {
    await restoreClaims(target);
    await writerOf(scope, kinds.pods).update(repaired);
  });
}
