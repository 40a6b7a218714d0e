import { canonicalJson, encodeHash, fnv32 } from "../shared/hash.ts";
import type { Pod, Revision, StatefulSet } from "../shared/objects.ts";
import {
  createRevision,
  deleteRevision,
  isSameData,
  numberOf,
  renumber,
  revisionData,
  revisionOf,
} from "../shared/revision-history.ts";
import type { Scope } from "../shared/workload-context.ts";
import { podRevision } from "./set-pods.ts";

const longestPrefix = 223;

export interface SetRevisions {
  /** Which pods have that are not updated yet. */
  readonly current: Revision;
  /** Which all pods shall have. */
  readonly update: Revision;
  readonly collisionCount: number;
}

/** Finds the revision of the wanted template, or makes it. */
export async function syncRevisions(
  set: StatefulSet,
  revisions: readonly Revision[],
  scope: Scope,
): Promise<SetRevisions> {
  const { update, collisionCount } = await updateRevision(set, revisions, scope);
  const named = ({ metadata }: Revision) => metadata.name === set.status.currentRevision;
  return { current: revisions.find(named) ?? update, update, collisionCount };
}

async function updateRevision(set: StatefulSet, revisions: readonly Revision[], scope: Scope) {
  let { collisionCount = 0 } = set.status;
  const data = revisionData(set.spec.template ?? {});
  const newest = revisions.at(-1);
  const next = newest === undefined ? 1 : numberOf(newest) + 1;
  const equal = revisions.findLast((revision) => isSameData(revision.data, data));
  if (equal !== undefined) {
    const isNewest = newest !== undefined && isSameData(newest.data, data);
    return { update: isNewest ? newest : await renumber(equal, next, scope), collisionCount };
  }
  for (;;) {
    const update = await createRevision(newRevision(set, { data, next, collisionCount }), scope);
    if (update !== undefined) return { update, collisionCount };
    collisionCount += 1;
  }
}

function newRevision(
  set: StatefulSet,
  { data, next, collisionCount }: { data: object; next: number; collisionCount: number },
): Revision {
  const hash = encodeHash(fnv32(Buffer.from(canonicalJson(data) + collisionCount)));
  const name = `${(set.metadata.name ?? "").slice(0, longestPrefix)}-${hash}`;
  const labels = { ...set.spec.template?.metadata?.labels, "controller.kubernetes.io/hash": hash };
  return revisionOf(set, { name, labels, data, revision: next });
}

/** Deletes revisions that no pod has, as far as the history does not go back to them. */
export async function truncateHistory(
  set: StatefulSet,
  history: {
    readonly revisions: readonly Revision[];
    readonly live: SetRevisions;
    readonly pods: readonly Pod[];
  },
  scope: Scope,
): Promise<void> {
  const { current, update } = history.live;
  const live = new Set([current, update].map(({ metadata }) => metadata.name));
  for (const pod of history.pods) live.add(podRevision(pod));
  const old = history.revisions.filter(({ metadata }) => !live.has(metadata.name));
  const { revisionHistoryLimit = 10 } = set.spec;
  const count = revisionHistoryLimit < 0 ? 0 : Math.max(0, old.length - revisionHistoryLimit);
  for (const revision of old.slice(0, count)) await deleteRevision(revision, scope);
}
