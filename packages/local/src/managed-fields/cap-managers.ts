import { union } from "./field-set.ts";
import { compareTexts, type Managed, type ManagerId, managerId, secondsOf } from "./managers.ts";

/** How many entries of updates an object keeps apart. */
const maxUpdateManagers = 10;

/** Joins the oldest entries of updates, a version each, until there are not too many of them. */
export function capManagers(managed: Managed): void {
  const { sets, times } = managed;
  if (sets.size <= maxUpdateManagers) return;
  const updaters = [...sets].filter(([, { isApplied }]) => !isApplied).map(([id]) => id);
  updaters.sort((a, b) => secondsOf(times.get(a)) - secondsOf(times.get(b)) || compareTexts(a, b));
  const first = new Map<string, ManagerId>();
  let tooMany = updaters.length - maxUpdateManagers;
  for (const id of updaters) {
    if (tooMany <= 0) return;
    const version = sets.get(id)?.apiVersion ?? "";
    const oldest = first.get(version);
    if (oldest === undefined) first.set(version, id);
    else {
      join(managed, { oldest, id, version });
      tooMany--;
    }
  }
}

interface Joined {
  readonly oldest: ManagerId;
  readonly id: ManagerId;
  readonly version: string;
}

function join({ sets, times }: Managed, { oldest, id, version }: Joined): void {
  const bucket = managerId({
    manager: "ancient-changes",
    operation: "Update",
    apiVersion: version,
  });
  const old = sets.get(bucket) ?? sets.get(oldest);
  if (!sets.has(bucket)) sets.delete(oldest);
  const own = sets.get(id);
  if (!own || !old) return;
  sets.set(bucket, { ...own, fields: union(own.fields, old.fields) });
  sets.delete(id);
  // Of the entry that is joined: it is the newer one.
  times.set(bucket, times.get(id));
}
