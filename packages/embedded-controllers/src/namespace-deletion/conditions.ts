import type { NamespaceCondition } from "@rookery/api";
import { formatTime } from "@rookery/kube";

/** The outcome of one round of deletion. */
export interface Findings {
  /** Messages of what could not be deleted. */
  readonly failures: readonly string[];
  /** How many objects are left, by "resource.group". */
  readonly remaining: ReadonlyMap<string, number>;
  /** How many of those have a finalizer, by finalizer. */
  readonly finalizers: ReadonlyMap<string, number>;
}

interface Statement {
  readonly reason: string;
  readonly message: string;
}

const good: readonly (readonly [type: string, Statement])[] = [
  [
    "NamespaceDeletionDiscoveryFailure",
    { reason: "ResourcesDiscovered", message: "All resources successfully discovered" },
  ],
  [
    "NamespaceDeletionGroupVersionParsingFailure",
    { reason: "ParsedGroupVersions", message: "All legacy kube types successfully parsed" },
  ],
  [
    "NamespaceDeletionContentFailure",
    {
      reason: "ContentDeleted",
      message: "All content successfully deleted, may be waiting on finalization",
    },
  ],
  [
    "NamespaceContentRemaining",
    { reason: "ContentRemoved", message: "All content successfully removed" },
  ],
  [
    "NamespaceFinalizersRemaining",
    { reason: "ContentHasNoFinalizers", message: "All content-preserving finalizers finished" },
  ],
];

/** The conditions of a namespace that ends; the same list where nothing changed. */
export function deletionConditions(
  known: readonly NamespaceCondition[],
  findings: Findings,
  now: Date,
): readonly NamespaceCondition[] {
  const bad = badStatements(findings);
  const conditions = [...known];
  let changed = false;
  for (const [type, well] of good) {
    const statement = bad.get(type) ?? well;
    const status = bad.has(type) ? "True" : "False";
    const index = conditions.findIndex((each) => each.type === type);
    const old = conditions[index];
    if (old && isSame(old, { ...statement, status })) continue;
    changed = true;
    const lastTransitionTime =
      old?.status === status && old.lastTransitionTime ? old.lastTransitionTime : formatTime(now);
    const condition = { type, status, lastTransitionTime, ...statement };
    conditions.splice(index < 0 ? conditions.length : index, 1, condition);
  }
  return changed ? conditions : known;
}

function isSame(old: NamespaceCondition, statement: Statement & { readonly status: string }) {
  return (["status", "reason", "message"] as const).every((key) => old[key] === statement[key]);
}

function badStatements({ failures, remaining, finalizers }: Findings): Map<string, Statement> {
  const statements = new Map<string, Statement>();
  if (failures.length > 0) {
    const texts = failures.toSorted().join(", ");
    const message = `Failed to delete all resource types, ${failures.length} remaining: ${texts}`;
    statements.set("NamespaceDeletionContentFailure", { reason: "ContentDeletionFailed", message });
  }
  if (remaining.size > 0) {
    const counts = [...remaining].map(([name, count]) => `${name} has ${count} resource instances`);
    const message = `Some resources are remaining: ${counts.toSorted().join(", ")}`;
    statements.set("NamespaceContentRemaining", { reason: "SomeResourcesRemain", message });
  }
  if (finalizers.size > 0) {
    const counts = [...finalizers].map(([name, count]) => `${name} in ${count} resource instances`);
    const message = `Some content in the namespace has finalizers remaining: ${counts.toSorted().join(", ")}`;
    statements.set("NamespaceFinalizersRemaining", { reason: "SomeFinalizersRemain", message });
  }
  return statements;
}
