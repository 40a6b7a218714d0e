import { clusterNameLabel } from "@rookery/cluster-api";
import {
  AlreadyOwnedError,
  isControlledBy,
  isFalse,
  isTrue,
  withControllerReference,
} from "@rookery/kube";
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
import type { ControlPlaneFinding } from "../report.ts";
import type { ControlPlaneScope, OwnedControlPlane } from "../scope.ts";

type Scope = Pick<ControlPlaneScope, "findComponent" | "commitComponent">;

/** The existing components, and the error if one is missing or cannot be used. */
export interface FoundComponents {
  readonly components: Components;
  readonly problem?: ControlPlaneError;
}

/** Reads the components that the spec names. Writes nothing. */
export async function findComponents(
  plane: OwnedControlPlane,
  scope: Pick<Scope, "findComponent">,
): Promise<FoundComponents> {
  const { controlPlane } = plane;
  const named = componentFields.filter((field) => controlPlane.spec[field] !== undefined);
  const outcomes = await Promise.allSettled(named.map((field) => find(field, plane, scope)));
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
  { controlPlane, namespace }: OwnedControlPlane,
  { findComponent }: Pick<Scope, "findComponent">,
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
    const message = `${what} was deleted; it is recreated for spec.version`;
    throw new ControlPlaneError("WaitingForDefaults", message);
  }
  const why = `it does not exist; create it, or correct spec.${field}`;
  throw new ControlPlaneError("ComponentMissing", `could not find ${what}: ${why}`);
}

function unnamed(
  field: ComponentField,
  { version }: OwnedControlPlane["controlPlane"]["spec"],
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

/** Makes the control plane the controller of its components. */
export async function ownComponents(
  { components, problem }: FoundComponents,
  plane: OwnedControlPlane,
  scope: Pick<Scope, "commitComponent">,
): Promise<ControlPlaneFinding> {
  const all = Object.values(components).filter((component) => !isBeingDeleted(component));
  try {
    await allOrProblems(all.map((component) => own(component, plane, scope)));
    return problem ? isFalse(problem.reason, problem.message) : isTrue("Found");
  } catch (error) {
    if (error instanceof ControlPlaneError) return isFalse(error.reason, error.message);
    throw error;
  }
}

async function own(
  component: ComponentObject,
  { controlPlane, cluster }: OwnedControlPlane,
  { commitComponent }: Pick<Scope, "commitComponent">,
): Promise<void> {
  const { labels = {} } = component.metadata;
  if (isControlledBy(component, controlPlane) && labels[clusterNameLabel] === cluster) return;
  const mutate = (fresh: ComponentObject) => {
    const owned = withControllerReference(fresh, controlPlane);
    const names = { ...fresh.metadata.labels, [clusterNameLabel]: cluster };
    return { ...owned, metadata: { ...owned.metadata, labels: names } };
  };
  try {
    // The component's own controller writes to it at the same time.
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
