import { ignoreNotFound } from "@rookery/client";
import { kinds } from "../shared/kinds.ts";
import { writerOf } from "../shared/object-writer.ts";
import type { ReplicaSet } from "../shared/objects.ts";
import { wanted } from "./replica-sets.ts";
import { oldestRevisionFirst } from "./revisions.ts";
import type { Rollout } from "./rollout.ts";

/** Deletes ReplicaSets of revisions that are older than the history goes back. */
export async function cleanUp({ deployment, old, scope }: Rollout): Promise<void> {
  const { revisionHistoryLimit } = deployment.spec;
  if (revisionHistoryLimit === undefined || revisionHistoryLimit === 2 ** 31 - 1) return;
  const there = old.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const count = Math.max(0, there.length - revisionHistoryLimit);
  const sets = writerOf(scope, kinds.replicaSets);
  for (const set of oldestRevisionFirst(there).slice(0, count)) {
    if (isEmpty(set)) await ignoreNotFound(sets.delete(set));
  }
}

/** Without pods, and known to be so by its own controller. */
function isEmpty(set: ReplicaSet): boolean {
  const { metadata, status } = set;
  const isObserved = (metadata.generation ?? 0) <= (status.observedGeneration ?? 0);
  return isObserved && wanted(set) === 0 && (status.replicas ?? 0) === 0;
}
