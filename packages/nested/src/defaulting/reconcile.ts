import type { NestedControlPlane } from "@rookery/api";
import { isPaused, type OwnerCluster } from "@rookery/cluster-api";
import { type Finding, getCondition, isTrue, statementsOf, withConditions } from "@rookery/kube";
import { createLifecycle, isBeingDeleted, type Outcome } from "@rookery/runtime";
import { findingOf } from "../error-findings.ts";
import { ensureComponents } from "./phases/ensure-components.ts";
import { recordComponents } from "./phases/record-components.ts";
import { upgradeComponents } from "./phases/upgrade-components.ts";
import type { DefaultingScope } from "./scope.ts";

/** Creates, recreates and upgrades the components of control planes with a version. */
export const defaultingLifecycle = createLifecycle<
  NestedControlPlane,
  DefaultingScope,
  OwnerCluster
>({
  owner,
  // The controller of control planes reports the pause.
  whenPaused: (controlPlane, _, owner) =>
    isPaused(owner, controlPlane) ? controlPlane : undefined,
  provision,
  errors: { findingOf, withFinding: withCreated },
});

/** The Cluster of a control plane with a version. */
async function owner(
  controlPlane: NestedControlPlane,
  { getOwner }: DefaultingScope,
): Promise<OwnerCluster | undefined> {
  if (!controlPlane.spec.version) return undefined;
  const found = await getOwner(controlPlane);
  return found && !isBeingDeleted(found) ? found : undefined;
}

async function provision(
  controlPlane: NestedControlPlane,
  scope: DefaultingScope,
  owner: OwnerCluster,
): Promise<Outcome<NestedControlPlane>> {
  const components = await ensureComponents(controlPlane, scope, owner);
  const recorded = await recordComponents(controlPlane, components, scope);
  await upgradeComponents(controlPlane, components, scope);
  return { object: withoutFailure(recorded, scope) };
}

/** The control plane with the condition of a former failure cleared. */
function withoutFailure(
  controlPlane: NestedControlPlane,
  scope: DefaultingScope,
): NestedControlPlane {
  const condition = getCondition(controlPlane.status?.conditions, "ComponentsCreated");
  if (condition?.status !== "False") return controlPlane;
  return withCreated(controlPlane, isTrue("Created"), scope);
}

/** A condition of its own: another controller writes all others. */
function withCreated(
  controlPlane: NestedControlPlane,
  finding: Finding,
  { clock }: DefaultingScope,
): NestedControlPlane {
  return withConditions(controlPlane, statementsOf({ ComponentsCreated: finding }), clock);
}
