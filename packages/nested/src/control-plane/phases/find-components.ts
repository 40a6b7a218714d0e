import { clusterNameLabel } from "@rookery/cluster-api";
import { AlreadyOwnedError, isControlledBy, withControllerReference } from "@rookery/kube";
import { isBeingDeleted } from "@rookery/runtime";
import { ControlPlaneError } from "../../errors.ts";
import { allOrProblems, problemOf } from "../../problems.ts";
import {
  type ComponentField,
  type ComponentObject,
  type Components,
  componentFields,
  createdFields,
  kindProblem,
  neededFields,
} from "../component.ts";
import type { ControlPlaneDependencies, ControlPlaneScope } from "../scope.ts";

type Dependencies = Pick<ControlPlaneDependencies, "findComponent" | "commitComponent">;

/** What there is of the components, and what stands in the way of having them all. */
export interface FoundComponents {
  readonly components: Components;
  readonly problem?: ControlPlaneError;
}

/** Follows the references of the spec. Nothing is written. */
export async function findComponents(
  scope: ControlPlaneScope,
  dependencies: Pick<Dependencies, "findComponent">,
): Promise<FoundComponents> {
  const { controlPlane } = scope;
  const named = componentFields.filter((field) => controlPlane.spec[field] !== undefined);
  const outcomes = await Promise.allSettled(named.map((field) => find(field, scope, dependencies)));
  const found = outcomes.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const components: Components = Object.fromEntries(found);
  const needed = neededFields(controlPlane, components.apiserver) ?? [];
  const absent = needed.filter((field) => controlPlane.spec[field] === undefined);
  const problem = problemOf([
    ...outcomes,
    ...absent.map((field) => ({
      status: "rejected" as const,
      reason: unnamed(field, controlPlane.spec),
    })),
  ]);
  return { components, ...(problem && { problem }) };
}

async function find(
  field: ComponentField,
  { controlPlane, namespace }: ControlPlaneScope,
  { findComponent }: Pick<Dependencies, "findComponent">,
): Promise<[ComponentField, ComponentObject]> {
  const reference = controlPlane.spec[field];
  if (!reference) throw unnamed(field, controlPlane.spec);
  const what = `${reference.kind} ${reference.name}`;
  if (reference.namespace && reference.namespace !== namespace) {
    const why = `spec.${field}.namespace is ${reference.namespace}; components have to be in the namespace of their control plane, ${namespace}`;
    throw new ControlPlaneError("ComponentMissing", `could not use ${what}: ${why}`);
  }
  const problem = kindProblem(field, reference);
  if (problem) throw new ControlPlaneError("ComponentForbidden", `spec.${field}: ${problem}`);
  const component = await findComponent(reference, namespace);
  if (component) return [field, component];
  if (controlPlane.spec.version && createdFields(controlPlane).includes(field)) {
    const message = `${what} was deleted; it is created anew for spec.version`;
    throw new ControlPlaneError("WaitingForDefaults", message);
  }
  const why = `it is not there; create it, or correct spec.${field}`;
  throw new ControlPlaneError("ComponentMissing", `could not find ${what}: ${why}`);
}

function unnamed(
  field: ComponentField,
  { version }: ControlPlaneScope["controlPlane"]["spec"],
): ControlPlaneError {
  if (version) {
    const message = `the component for spec.${field} is created for spec.version`;
    return new ControlPlaneError("WaitingForDefaults", message);
  }
  return new ControlPlaneError(
    "ReferencesMissing",
    `could not find the component for spec.${field}: the spec names none; set spec.version to have it created, or name it`,
  );
}

/** Makes the control plane the controller of its components. Errors: ControlPlaneError. */
export async function ownComponents(
  components: Components,
  scope: ControlPlaneScope,
  dependencies: Pick<Dependencies, "commitComponent">,
): Promise<void> {
  const all = Object.values(components).filter((component) => !isBeingDeleted(component));
  await allOrProblems(all.map((component) => own(component, scope, dependencies)));
}

async function own(
  component: ComponentObject,
  { controlPlane, cluster }: ControlPlaneScope,
  { commitComponent }: Pick<Dependencies, "commitComponent">,
): Promise<void> {
  const { labels = {} } = component.metadata;
  if (isControlledBy(component, controlPlane) && labels[clusterNameLabel] === cluster) return;
  const mutate = (fresh: ComponentObject) => {
    const owned = withControllerReference(fresh, controlPlane);
    const names = { ...fresh.metadata.labels, [clusterNameLabel]: cluster };
    return { ...owned, metadata: { ...owned.metadata, labels: names } };
  };
  try {
    // The component's own controller writes to it as soon as it is there.
    await commitComponent(component, mutate(component), { mutate });
  } catch (error) {
    if (!(error instanceof AlreadyOwnedError)) throw error;
    const { kind, metadata } = component;
    throw new ControlPlaneError(
      "ComponentOwnedByOther",
      `could not use ${kind} ${metadata.name}: ${error.message}; name a component of its own, or delete that owner`,
      { cause: error },
    );
  }
}
