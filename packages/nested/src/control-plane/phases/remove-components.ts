import type { NestedControlPlane } from "@rookery/api";
import { isControlledBy } from "@rookery/kube";
import { isBeingDeleted } from "@rookery/runtime";
import { type ComponentObject, componentFields, kindProblem } from "../component.ts";
import type { ControlPlaneScope } from "../scope.ts";

type Scope = Pick<ControlPlaneScope, "findComponent" | "deleteComponent">;

/** Deletes the controlled component that started last; returns it until it is gone. */
export async function removeLastComponent(
  controlPlane: NestedControlPlane,
  scope: Scope,
): Promise<ComponentObject | undefined> {
  const component = await lastComponent(controlPlane, scope);
  if (component && !isBeingDeleted(component)) await scope.deleteComponent(component);
  return component;
}

async function lastComponent(
  controlPlane: NestedControlPlane,
  { findComponent }: Scope,
): Promise<ComponentObject | undefined> {
  for (const field of componentFields.toReversed()) {
    const reference = controlPlane.spec[field];
    if (!reference || kindProblem(field, reference)) continue;
    const component = await findComponent(reference, controlPlane.metadata.namespace ?? "");
    if (component && isControlledBy(component, controlPlane)) return component;
  }
  return undefined;
}
