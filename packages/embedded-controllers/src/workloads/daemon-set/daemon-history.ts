import { templateHash } from "../shared/hash.ts";
import { kinds } from "../shared/kinds.ts";
import { writerOf } from "../shared/object-writer.ts";
import type { DaemonSet, Pod, Revision } from "../shared/objects.ts";
import {
  claimRevisions,
  createRevision,
  deleteRevision,
  isSameData,
  numberOf,
  renumber,
  revisionData,
  revisionOf,
} from "../shared/revision-history.ts";
import type { Scope } from "../shared/workload-context.ts";
import { hashLabel } from "./daemon-pods.ts";

export interface DaemonHistory {
  /** Of the wanted template. */
  readonly hash: string;
  readonly old: readonly Revision[];
}

/** Finds the revision of the wanted template, or makes it; undefined where its name is taken. */
export async function syncHistory(
  set: DaemonSet,
  pods: readonly Pod[],
  scope: Scope,
): Promise<DaemonHistory | undefined> {
  const revisions = await claimRevisions(set, kinds.daemonSets, scope);
  const data = revisionData(set.spec.template ?? {});
  const [equal, old] = [true, false].map((is) =>
    revisions.filter((revision) => isSameData(revision.data, data) === is),
  ) as [Revision[], Revision[]];
  const next = Math.max(0, ...old.map(numberOf)) + 1;
  const current = equal.at(-1);
  if (current === undefined) return createCurrent(set, { data, next, old }, scope);
  const hash = hashOf(current);
  await dropCopies({ copies: equal.slice(0, -1), hash, pods }, scope);
  if (numberOf(current) < next) await renumber(current, next, scope);
  return { hash, old };
}

const hashOf = ({ metadata }: Revision) => metadata.labels?.[hashLabel] ?? "";

async function createCurrent(
  set: DaemonSet,
  { data, next, old }: { data: object; next: number; old: readonly Revision[] },
  scope: Scope,
): Promise<DaemonHistory | undefined> {
  const { template } = set.spec;
  const { collisionCount } = set.status;
  const hash = templateHash(template, collisionCount);
  const name = `${set.metadata.name}-${hash}`;
  const labels = { ...template?.metadata?.labels, [hashLabel]: hash };
  const revision = revisionOf(set, { name, labels, data, revision: next });
  if (await createRevision(revision, scope)) return { hash, old };
  // Another template has the same hash: with another count there will be another one.
  const status = { ...set.status, collisionCount: (collisionCount ?? 0) + 1 };
  await writerOf(scope, kinds.daemonSets).updateStatus(set, status);
  return undefined;
}

/** Of several revisions with one template the newest stays, and pods are said to have it. */
async function dropCopies(
  {
    copies,
    hash,
    pods,
  }: {
    readonly copies: readonly Revision[];
    readonly hash: string;
    readonly pods: readonly Pod[];
  },
  scope: Scope,
): Promise<void> {
  if (copies.length === 0) return;
  for (const pod of pods) {
    if (pod.metadata.labels?.[hashLabel] === hash) continue;
    const patch = { metadata: { labels: { [hashLabel]: hash } } };
    await writerOf(scope, kinds.pods).patch(pod, { type: "merge", patch });
  }
  for (const copy of copies) await deleteRevision(copy, scope);
}

/** Deletes revisions that no pod has, as far as the history does not go back to them. */
export async function cleanUpHistory(
  set: DaemonSet,
  { old, pods }: { readonly old: readonly Revision[]; readonly pods: readonly Pod[] },
  scope: Scope,
): Promise<void> {
  const live = new Set(pods.map(({ metadata }) => metadata.labels?.[hashLabel]));
  const count = Math.max(0, old.length - (set.spec.revisionHistoryLimit ?? 10));
  const dead = old.filter((revision) => !live.has(hashOf(revision)));
  for (const revision of dead.slice(0, count)) await deleteRevision(revision, scope);
}
