import type { Component } from "@rookery/components";
import { deepEqual } from "@rookery/kube";
import { PhaseError } from "../../errors.ts";
import { describeSet, intersection, isEmpty, minus } from "../../identity/namespace-set.ts";
import { desiredLayout } from "../../instances/desired-layout.ts";
import { describeInstance, type Family, familyOf } from "../../instances/family.ts";
import { type HeldNamespaces, recordedNamespaces } from "../../instances/held-namespaces.ts";
import { renderedComponents } from "../../instances/rendered.ts";
import { checkClaims } from "../../preflight/instance-rules.ts";
import type { InstallState, InstanceLayout, Release } from "../../state/install-state.ts";
import { recordedScope } from "../../state/install-state.ts";
import { ownedAlso } from "../policies.ts";
import type { ProviderScope } from "../scope.ts";
import { loadRelease } from "./load-components.ts";

/** Pods of instances are watched, so events usually come first. */
const retrySeconds = 2;

/** Records a changed layout; returns the namespaces that others still hold. Errors: PhaseError. */
export async function updateLayout(scope: ProviderScope): Promise<readonly HeldNamespaces[]> {
  const { provider, record } = scope;
  const { release: reference, layout, phase } = record.state;
  if (reference === undefined || reference.adopted || phase === "Deleting") return [];
  if (provider.spec?.watch === undefined && layout === undefined) return [];
  const family = ownFamily(scope);
  checkClaims(family);
  const desired = await desiredLayoutOf(family, reference, scope);
  if (deepEqual(desired.layout, layout)) return desired.waiting;
  const release = await loadRelease(scope);
  if (release === undefined) return desired.waiting;
  const components = await renderedComponents(scope, release, desired.layout);
  await recordLayout(scope, family, withLayout(record.state, desired.layout, components));
  return desired.waiting;
}

export function ownFamily(scope: ProviderScope): Family {
  const { self, others } = scope.views();
  return familyOf(self, others);
}

/** A provider that is the only instance has no layout. Errors: PhaseError. */
export async function desiredLayoutOf(
  family: Family,
  reference: Release["reference"],
  scope: ProviderScope,
): Promise<{ readonly layout?: InstanceLayout; readonly waiting: readonly HeldNamespaces[] }> {
  const { layout, waiting } = await desiredLayout(family, reference, scope);
  // Without spec.watch the layout is removed when the provider has all namespaces again.
  const isInstance = scope.provider.spec?.watch !== undefined || waiting.length > 0;
  return isInstance ? { layout, waiting } : { waiting };
}

/**
 * Records a state with a layout, before anything of it is applied. If another instance has recorded the
 * same namespaces meanwhile, neither has applied them, and this record is reverted. Errors: PhaseError.
 */
export async function recordLayout(
  scope: ProviderScope,
  family: Family,
  next: InstallState,
): Promise<void> {
  const { record } = scope;
  const before = record.state;
  const gained = minus(recordedScope(next), recordedScope(before));
  await record.save(next);
  if (isEmpty(gained) || family.others.length === 0) return;
  const records = await recordedNamespaces(family.others, scope.client);
  const rival = records.find(({ namespaces }) => !isEmpty(intersection(namespaces, gained)));
  if (rival === undefined) return;
  await record.save(before);
  throw new PhaseError("PreflightCheckPassed", "NamespaceClash", {
    message:
      `could not give ${describeSet(intersection(rival.namespaces, gained))} to ` +
      `${describeInstance(family.self)} yet: ${rival.holder} has taken it; it is tried again`,
    retryAfterSeconds: retrySeconds,
  });
}

function withLayout(
  { layout: _, ...state }: InstallState,
  layout: InstanceLayout | undefined,
  components: readonly Component[],
): InstallState {
  const isApplied = state.phase === "Stable" || state.phase === "Verifying";
  return {
    ...state,
    ...(layout && { layout }),
    owned: ownedAlso(state.owned, components),
    ...(isApplied && { phase: "Redividing" as const }),
  };
}
