import type { NestedControlPlane } from "@rookery/api";
import { isPaused, type OwnerCluster } from "@rookery/cluster-api";
import { type Finding, getCondition, isTrue, statementsOf, withConditions } from "@rookery/kube";
import { createLifecycle, isBeingDeleted, type Outcome } from "@rookery/runtime";
import { findingOf } from "../error-findings.ts";
import { ensureComponents } from "./phases/ensure-components.ts";
import { recordComponents } from "./phases/record-components.ts";
import { upgradeComponents } from "./phases/upgrade-components.ts";
import type { DefaultingScope } from "./scope.ts";

/**
 * Creates the components that a control plane with a version does not name, creates those anew that were
 * deleted, and upgrades them to later versions. Components that others created are not touched.
 */
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

/** The Cluster for which components are created; none without a version. */
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

/** The control plane on which a former failure is marked as over. */
function withoutFailure(
  controlPlane: NestedControlPlane,
  scope: DefaultingScope,
): NestedControlPlane {
  const condition = getCondition(controlPlane.status?.conditions, "ComponentsCreated");
  if (condition?.status !== "False") return controlPlane;
  return withCreated(controlPlane, isTrue("Created"), scope);
}

/** A condition of its own: the controller of control planes writes all others. */
function withCreated(
  controlPlane: NestedControlPlane,
  finding: Finding,
  { clock }: DefaultingScope,
): NestedControlPlane {
  return withConditions(controlPlane, statementsOf({ ComponentsCreated: finding }), clock);
}
