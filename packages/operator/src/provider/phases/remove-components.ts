import { type DeletionPolicy, formatComponentKey, planDeletion } from "@rookery/components";
import { inParallel } from "../../components/in-parallel.ts";
import { explainStuck } from "../../deletion/users.ts";
import { familyOf, isThere } from "../../instances/family.ts";
import { isShared } from "../../instances/layout/shared.ts";
import { rightsFinalizer } from "../../instances/namespace-rights.ts";
import type { OwnedEntry } from "../../state/install-state.ts";
import type { ProviderScope } from "../scope.ts";

type Scope = Pick<ProviderScope, "components" | "signal">;

/** How many objects are named that do not go. */
const shown = 5;

/**
 * Removes the running instance, and keeps CRDs, their objects and the namespace unless told otherwise:
 * webhooks first, then stage by stage, each gone before the next is asked to go. Resolves to what is
 * still there.
 */
export async function removeComponents(
  owned: readonly OwnedEntry[],
  scope: Scope,
  policy: DeletionPolicy = {},
): Promise<readonly OwnedEntry[]> {
  const entries = owned.map((entry) => ({ ...entry, hash: "" }));
  const { deleted } = planDeletion({ entries, hash: "" }, policy);
  for (const members of Map.groupBy(deleted, ({ stage }) => stage).values()) {
    const left = await removeAll(members, scope);
    if (left.length > 0) return left;
  }
  return [];
}

/** What is the provider's own to remove: what other instances that are there use, too, is not. */
export function ownEntries({ provider, record, views }: ProviderScope): readonly OwnedEntry[] {
  const { owned, layout } = record.state;
  if (layout === undefined) return owned;
  const { self, others } = views();
  if (!familyOf(self, others).others.some(isThere)) return owned;
  const { namespace = "" } = provider.metadata;
  return owned.filter((entry) => !isShared(entry, namespace));
}

/** Asks all of them to go at once, and resolves to what is still there. */
export async function removeAll(
  entries: readonly OwnedEntry[],
  { components, signal }: Scope,
): Promise<readonly OwnedEntry[]> {
  const gone = await inParallel(entries, (entry) => removeComponent(entry, { components, signal }));
  return entries.filter((_, index) => !gone[index]);
}

/** Asks one to go, and resolves to whether it is gone. */
export async function removeComponent(
  entry: OwnedEntry,
  { components, signal }: Scope,
): Promise<boolean> {
  if (entry.kind === "RoleBinding")
    await components.release(entry, { finalizer: rightsFinalizer, signal });
  return components.delete(entry, { foreground: entry.stage === "workloads", signal });
}

/** Says of what does not go why that is so. */
export async function explainLeft(left: readonly OwnedEntry[], scope: Scope): Promise<string> {
  const first = left.slice(0, shown);
  const reasons = await inParallel(first, async (entry) => {
    const found = await scope.components.getMetadata(entry, scope.signal);
    const why = found ? explainStuck(found.metadata) : "it is gone now";
    return `${formatComponentKey(entry)}: ${why}`;
  });
  const more = left.length > shown ? ` and ${left.length - shown} more` : "";
  return `waiting for ${left.length} objects to be gone: ${reasons.join("; ")}${more}`;
}
