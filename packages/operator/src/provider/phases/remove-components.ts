import {
  type Component,
  type DeletionPolicy,
  formatComponentKey,
  planDeletion,
  type Stage,
} from "@rookery/components";
import { isFalse } from "@rookery/kube";
import { inParallel } from "../../components/in-parallel.ts";
import { explainStuck } from "../../deletion/explain-stuck.ts";
import { PhaseError } from "../../errors.ts";
import { familyOf, hasComponents } from "../../instances/family.ts";
import { isShared } from "../../instances/layout/names.ts";
import { isNamespaceRight, rightsFinalizer } from "../../instances/namespace-rights.ts";
import type { OwnedEntry } from "../../state/install-state.ts";
import { isAmong, isKept } from "../policies.ts";
import { isNotInstalled, type Progress } from "../progress.ts";
import type { ProviderScope } from "../scope.ts";

type Scope = Pick<ProviderScope, "components">;

/** Deletions usually have an event. */
const removalSeconds = 2;

/**
 * Removes the components of the previous release, and then records the phase "Applying". Two kinds of
 * objects are changed in place: those of external kinds, from which other controllers may have made
 * more, and RoleBindings in tenants' namespaces, which could not be created again while their namespace
 * is being deleted.
 */
export async function removePreviousComponents(
  scope: ProviderScope,
): Promise<Progress | undefined> {
  const { provider, record } = scope;
  const replaced = ownEntries(scope).filter(
    (entry) => entry.stage !== "external" && !isNamespaceRight(entry, provider.metadata.namespace),
  );
  const left = await removeComponents(replaced, scope);
  if (left.length === 0) {
    await record.save({ ...record.state, phase: "Applying" });
    return undefined;
  }
  const removing = isFalse("Removing", await explainLeft(left, scope));
  return { installed: removing, available: isNotInstalled, requeueAfterSeconds: removalSeconds };
}

/** Removes recorded objects that are not among the components. Errors: PhaseError while it waits. */
export async function removeObsolete(
  scope: ProviderScope,
  components: readonly Component[],
  stages?: readonly Stage[],
): Promise<void> {
  const obsolete = ownEntries(scope).filter(
    (entry) =>
      !isKept(entry) && !isAmong(components, entry) && (stages?.includes(entry.stage) ?? true),
  );
  const left = await removeAll(obsolete, scope);
  if (left.length === 0) return;
  throw new PhaseError("ProviderInstalled", "Removing", {
    message: await explainLeft(left, scope),
    retryAfterSeconds: removalSeconds,
  });
}

/**
 * Removes webhooks first, and then stage by stage, each when the objects of the previous one are gone.
 * The policy decides about CRDs, their objects and the namespace. Returns the remaining objects.
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

/** The recorded objects that the provider may remove: not those that other instances use too. */
export function ownEntries({ provider, record, views }: ProviderScope): readonly OwnedEntry[] {
  const { owned, layout } = record.state;
  if (layout === undefined) return owned;
  const { self, others } = views();
  if (!familyOf(self, others).others.some(hasComponents)) return owned;
  const { namespace = "" } = provider.metadata;
  return owned.filter((entry) => !isShared(entry, namespace));
}

export async function removeAll(
  entries: readonly OwnedEntry[],
  scope: Scope,
): Promise<readonly OwnedEntry[]> {
  const gone = await inParallel(entries, (entry) => removeComponent(entry, scope));
  return entries.filter((_, index) => !gone[index]);
}

/** Requests the deletion of one object, and returns whether it is gone. */
export async function removeComponent(entry: OwnedEntry, { components }: Scope): Promise<boolean> {
  if (entry.kind === "RoleBinding") await components.release(entry, rightsFinalizer);
  return components.delete(entry, entry.stage === "workloads" ? "Foreground" : "Background");
}

export async function explainLeft(
  left: readonly OwnedEntry[],
  { components }: Scope,
): Promise<string> {
  const most = 5;
  const first = await inParallel(left.slice(0, most), async (entry) => {
    const found = await components.getMetadata(entry);
    const why = found ? explainStuck(found.metadata) : "it is gone now";
    return `${formatComponentKey(entry)}: ${why}`;
  });
  const more = left.length > most ? ` and ${left.length - most} more` : "";
  return `waiting for ${left.length} objects to be gone: ${first.join("; ")}${more}`;
}
