import type { ObjectKey } from "@rookery/kube";
import type { LeftObject } from "../graph/left-objects.ts";
import type { JournalEntry, JournalState } from "../journal/journal-state.ts";

interface NamedObject {
  readonly kind: string;
  readonly key: ObjectKey;
}

/** The result of a move. */
export interface MoveReport {
  readonly namespace: string;
  readonly cluster?: string;
  readonly moved: readonly NamedObject[];
  /** At both clusters. */
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
