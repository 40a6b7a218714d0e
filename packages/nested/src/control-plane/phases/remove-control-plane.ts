import type { NestedControlPlane } from "@rookery/api";
import { formatObjectKey, isControlledBy, objectKeyOf, withConditions } from "@rookery/kube";
import {
  done,
  hasFinalizer,
  isBeingDeleted,
  type Result,
  withoutFinalizer,
} from "@rookery/runtime";
import { type ComponentObject, componentFields, kindProblem } from "../component.ts";
import { controlPlaneFinalizer } from "../finalizer.ts";
import type { ControlPlaneDependencies } from "../scope.ts";

/**
 * Takes a control plane apart: its components one after the other, the last to start first, then its
 * Secrets. What belongs to somebody else stays.
 */
export async function removeControlPlane(
  controlPlane: NestedControlPlane,
  dependencies: ControlPlaneDependencies,
): Promise<Result> {
  if (!hasFinalizer(controlPlane, controlPlaneFinalizer)) return done;
  const component = await lastComponent(controlPlane, dependencies);
  if (component) {
    if (!isBeingDeleted(component)) await dependencies.deleteComponent(component);
    await dependencies.commit(controlPlane, waiting(controlPlane, component, dependencies));
    return done;
  }
  const secrets = await dependencies.ownedSecrets(controlPlane);
  await Promise.all(secrets.map((secret) => dependencies.deleteSecret(secret)));
  const key = formatObjectKey(objectKeyOf(controlPlane));
  dependencies.tenants.forget(key);
  dependencies.memo.forget(key);
  await dependencies.commit(controlPlane, withoutFinalizer(controlPlane, controlPlaneFinalizer));
  return done;
}

async function lastComponent(
  controlPlane: NestedControlPlane,
  { findComponent }: ControlPlaneDependencies,
): Promise<ComponentObject | undefined> {
  for (const field of componentFields.toReversed()) {
    const reference = controlPlane.spec[field];
    if (!reference || kindProblem(field, reference)) continue;
    const component = await findComponent(reference, controlPlane.metadata.namespace ?? "");
    if (component && isControlledBy(component, controlPlane)) return component;
  }
  return undefined;
}

function waiting(
  controlPlane: NestedControlPlane,
  { kind, metadata }: ComponentObject,
  { clock }: ControlPlaneDependencies,
): NestedControlPlane {
  const message = `${kind} ${metadata.name} is being removed`;
  const reason = "WaitingForComponents";
  const gone = { status: "False", reason, message } as const;
  const statements = [
    { type: "Deleting", status: "True", reason, message },
    { type: "Available", ...gone },
    { type: "Ready", ...gone },
  ] as const;
  const changed = withConditions(controlPlane, statements, clock);
  return { ...changed, status: { ...changed.status, ready: false } };
}
