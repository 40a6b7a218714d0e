import type { Client } from "@rookery/client";
import type { KubeObject } from "@rookery/kube";
import { MoveError } from "../errors.ts";
import type { MovePlan, PlannedObject } from "../graph/move-plan.ts";
import type { MoveJournal } from "../journal/journal-state.ts";
import { identityOf, nameOf } from "../names.ts";
import { readExisting } from "../read/read-existing.ts";
import { createObjects, isSameContent } from "../steps/create-objects.ts";
import { deleteObjects } from "../steps/delete-objects.ts";
import { setPaused } from "../steps/pause.ts";
import { waitUnblocked } from "../steps/wait-unblocked.ts";
import { entriesOf, entryIdentity, pausablesOf, placesOf } from "./plan-entries.ts";

export interface RunningMove {
  readonly source: Client;
  readonly target: Client;
  readonly readPlan: () => Promise<MovePlan>;
  readonly journal: MoveJournal;
  readonly blockTimeoutMs: number;
  readonly onProgress: (text: string) => void;
}

/** Attempts until the source has stopped changing. */
const rounds = 10;

/** Pauses clusters; returns the plan unless it may have changed while waiting. */
export async function pauseClusters(
  move: Omit<RunningMove, "target">,
): Promise<MovePlan | undefined> {
  const { source, journal, onProgress } = move;
  onProgress(`Pausing ${journal.state.paused.length} clusters and classes at the source`);
  await setPaused(source, journal.state.paused, true);
  const plan = await move.readPlan();
  await pauseNewClusters(move, plan);
  if (!plan.objects.some(({ blocked }) => blocked)) return plan;
  await waitUnblocked(source, plan.objects, { timeoutMs: move.blockTimeoutMs, onProgress });
  return undefined;
}

/** Pauses clusters that were created since the start; records them in the journal before. */
async function pauseNewClusters(
  { source, journal }: Pick<RunningMove, "source" | "journal">,
  plan: MovePlan,
): Promise<void> {
  const known = new Set(journal.state.paused.map(entryIdentity));
  const late = pausablesOf(plan.objects).filter((one) => !known.has(entryIdentity(one)));
  if (late.length === 0) return;
  await journal.save({ paused: [...journal.state.paused, ...late] });
  await setPaused(source, late, true);
}

/** Creates all objects, and repeats it for changed and new ones until the source stops changing. */
export async function createAtTarget(
  move: RunningMove,
  first: MovePlan | undefined,
): Promise<void> {
  const { target, journal, onProgress } = move;
  const done = new Map<string, KubeObject>();
  const uids = new Map<string, string>();
  for (let round = 1; ; round += 1) {
    const plan = (round === 1 && first) || (await move.readPlan());
    await pauseNewClusters(move, plan);
    const open = plan.objects.filter(({ object }) => !isDone(object, done));
    const found = await journalPlan(move, plan);
    if (open.length === 0) return;
    if (round > rounds) throw stillChangingError(open);
    onProgress(`Creating ${open.length} objects at the target`);
    const existing = found ?? (await readExisting(target, open));
    const confirm = () => journal.confirm();
    await createObjects(target, open, { existing, uids, confirm });
    for (const { object } of open) done.set(object.metadata.uid ?? "", object);
  }
}

function isDone(object: KubeObject, done: ReadonlyMap<string, KubeObject>): boolean {
  const known = done.get(object.metadata.uid ?? "");
  if (!known) return false;
  const isUnchanged = known.metadata.resourceVersion === object.metadata.resourceVersion;
  return isUnchanged || isSameContent(known, object);
}

function stillChangingError(open: readonly PlannedObject[]): MoveError {
  const names = open.map(({ object }) => nameOf(object)).join(", ");
  const why = `could not move: ${names} did not stop changing although its cluster is paused; look who writes it`;
  return new MoveError("NotReady", why);
}

/**
 * Records the objects of the plan, and existing objects of the target, before they are changed; deletes
 * created objects that the source no longer has. Returns the existing objects if all were read.
 */
async function journalPlan(
  { target, journal }: RunningMove,
  plan: MovePlan,
): Promise<ReadonlyMap<string, KubeObject> | undefined> {
  const { state } = journal;
  const known = new Map(state.entries.map((entry) => [entryIdentity(entry), entry]));
  const news = plan.objects.filter(({ resource, object }) => {
    return known.get(identityOf(resource, object))?.uid !== object.metadata.uid;
  });
  const wanted = new Set(plan.objects.map((one) => identityOf(one.resource, one.object)));
  const gone = state.entries.filter((entry) => !wanted.has(entryIdentity(entry)));
  if (state.phase === "Creating" && news.length === 0 && gone.length === 0) return undefined;
  const added = news.filter(({ resource, object }) => !known.has(identityOf(resource, object)));
  const before = await readExisting(target, added);
  const existed = (identity: string) => known.get(identity)?.existed ?? before.has(identity);
  await deleteCreated(target, journal, gone);
  const kept = added.flatMap(({ resource, object, shared }) => {
    const found = shared ? undefined : before.get(identityOf(resource, object));
    return found ? [{ resource, object: found }] : [];
  });
  await journal.save({
    phase: "Creating",
    entries: entriesOf(plan.objects, existed),
    left: plan.left,
    before: [...state.before, ...kept],
  });
  return added.length === plan.objects.length ? before : undefined;
}

/** The greatest difference of the clocks of two API servers. */
const skewMs = 5 * 60_000;

/** Deletes objects at the target that this move created, and none that are older. */
export async function deleteCreated(
  target: Client,
  { began }: Pick<MoveJournal, "began">,
  entries: MoveJournal["state"]["entries"],
): Promise<void> {
  const oldest = began ? began.getTime() - skewMs : 0;
  const ours = entries.filter(({ existed }) => !existed);
  const found = await readExisting(target, placesOf(ours));
  const there = ours.flatMap((entry) => {
    const { uid, creationTimestamp } = found.get(entryIdentity(entry))?.metadata ?? {};
    const isOlder = new Date(creationTimestamp ?? 0).getTime() < oldest;
    return uid === undefined || isOlder ? [] : [{ ...entry, uid }];
  });
  await deleteObjects(target, there);
}

export async function deleteAtSource({ source, journal, onProgress }: RunningMove): Promise<void> {
  const moved = journal.state.entries.filter(({ stays }) => stays === undefined);
  onProgress(`Deleting ${moved.length} objects at the source`);
  await deleteObjects(source, moved, () => journal.confirm());
}

/** Throws MoveError if an object of the journal is missing at the target. */
export async function checkArrived({ target, journal }: RunningMove): Promise<void> {
  const { entries } = journal.state;
  const found = await readExisting(target, placesOf(entries));
  const missing = entries.filter((entry) => !found.has(entryIdentity(entry)));
  if (missing.length === 0) return;
  const names = missing.map(({ resource, key }) => `${resource.kind} ${key.name}`).join(", ");
  const why = `could not move: ${names} was created at the target and is gone again; look who deleted it`;
  throw new MoveError("Failed", why);
}

/** Resumes moved clusters at the target, and copied ones at both. */
export async function resumeBoth({ source, target, journal }: RunningMove): Promise<void> {
  const { paused, entries } = journal.state;
  const staying = new Set(entries.filter(({ stays }) => stays !== undefined).map(entryIdentity));
  const isClass = ({ resource }: { resource: { kind: string } }) =>
    resource.kind === "ClusterClass";
  const [classes, clusters] = [paused.filter(isClass), paused.filter((one) => !isClass(one))];
  const copied = paused.filter((one) => staying.has(entryIdentity(one)));
  await setPaused(target, classes, false);
  await setPaused(target, clusters, false);
  await setPaused(source, copied, false);
}
