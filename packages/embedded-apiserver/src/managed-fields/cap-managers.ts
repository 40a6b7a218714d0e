import { unionOfAll } from "./field-set.ts";
import { type Managed, type ManagerId, managerId, secondsOf } from "./managers.ts";
import { compareTexts } from "./path-element.ts";

/** How many Update entries an object keeps apart. */
const maxUpdateManagers = 10;

/** Merges the oldest Update entries of each version until at most ten are left. */
export function capManagers(managed: Managed): void {
  const { sets, times } = managed;
  if (sets.size <= maxUpdateManagers) return;
  const updaters = [...sets].filter(([, { isApplied }]) => !isApplied).map(([id]) => id);
  updaters.sort((a, b) => secondsOf(times.get(a)) - secondsOf(times.get(b)) || compareTexts(a, b));
  const first = new Map<string, ManagerId>();
  const joined = new Map<string, ManagerId[]>();
  let tooMany = updaters.length - maxUpdateManagers;
  for (const id of updaters) {
    if (tooMany <= 0) break;
    const version = sets.get(id)?.apiVersion ?? "";
    const oldest = first.get(version);
    if (oldest === undefined) first.set(version, id);
    else {
      const ids = joined.get(version);
      if (ids) ids.push(id);
      else joined.set(version, [id]);
      tooMany--;
    }
  }
  for (const [version, ids] of joined)
    join(managed, { oldest: first.get(version) ?? "", ids, version });
}

interface Joined {
  readonly oldest: ManagerId;
  /** At least one, oldest first. */
  readonly ids: readonly ManagerId[];
  readonly version: string;
}

/** One union of all: pairwise unions would copy earlier sets repeatedly. */
function join({ sets, times }: Managed, { oldest, ids, version }: Joined): void {
  const bucket = managerId({
    manager: "ancient-changes",
    operation: "Update",
    apiVersion: version,
  });
  const old = sets.get(bucket) ?? sets.get(oldest);
  if (!sets.has(bucket)) sets.delete(oldest);
  const newest = ids.at(-1) ?? oldest;
  const own = sets.get(newest);
  if (!own || !old) return;
  const all = [old, ...ids.map((id) => sets.get(id))];
  const fields = unionOfAll(all.flatMap((set) => (set ? [set.fields] : [])));
  for (const id of ids) sets.delete(id);
  sets.set(bucket, { ...own, fields });
  times.set(bucket, times.get(newest));
}
