import {
  formatGroupKind,
  type KubeObject,
  type ObjectKey,
  objectKeyOf,
  type Resource,
} from "@rookery/kube";
import type { LeftObject } from "../graph/left-objects.ts";
import type { PlannedObject } from "../graph/move-plan.ts";
import { classKind, clusterKind } from "../graph/moved-node.ts";
import type { JournalEntry, JournalState } from "../journal/journal-state.ts";
import { identityOf } from "../names.ts";
import type { Pausable } from "../steps/pause.ts";

/** The clusters and classes of a plan. */
export function pausablesOf(objects: readonly PlannedObject[]): readonly Pausable[] {
  return objects
    .filter(({ resource }) => [clusterKind, classKind].includes(formatGroupKind(resource)))
    .map(({ resource, object }) => ({ resource, key: objectKeyOf(object) }));
}

/** The journal entries of the objects of a plan. */
export function entriesOf(
  objects: readonly PlannedObject[],
  existed: (identity: string) => boolean,
): readonly JournalEntry[] {
  return objects.map(({ resource, object, group, stays }) => ({
    resource,
    key: objectKeyOf(object),
    uid: object.metadata.uid ?? "",
    group,
    existed: existed(identityOf(resource, object)),
    ...(stays !== undefined && { stays }),
  }));
}

export function entryIdentity({ resource, key }: Pick<JournalEntry, "resource" | "key">): string {
  return identityOf(resource, { metadata: key });
}

/** The objects of entries, for `readExisting` and `rightsOn`. */
export function placesOf(
  entries: readonly Pick<JournalEntry, "resource" | "key">[],
): readonly { readonly resource: Resource; readonly object: Pick<KubeObject, "metadata"> }[] {
  return entries.map(({ resource, key }) => ({ resource, object: { metadata: key } }));
}

interface NamedObject {
  readonly kind: string;
  readonly key: ObjectKey;
}

export interface MoveReport {
  readonly namespace: string;
  readonly cluster?: string;
  readonly moved: readonly NamedObject[];
  readonly copied: readonly (NamedObject & { readonly why: string })[];
  readonly left: readonly LeftObject[];
}

type Reported = Pick<JournalState, "namespace" | "cluster" | "entries" | "left">;

export function moveReportOf({ namespace, cluster, entries, left }: Reported): MoveReport {
  const named = ({ resource, key }: JournalEntry) => ({ kind: resource.kind, key });
  return {
    namespace,
    ...(cluster !== undefined && { cluster }),
    left,
    moved: entries.filter(({ stays }) => stays === undefined).map(named),
    copied: entries.flatMap((entry) =>
      entry.stays === undefined ? [] : [{ ...named(entry), why: entry.stays }],
    ),
  };
}
