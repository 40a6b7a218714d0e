import { clusterNameLabel, whenPaused } from "@rookery/cluster-api";
import {
  formatObjectKey,
  isControlledBy,
  isFalse,
  type KubeObject,
  type Resource,
} from "@rookery/kube";
import { createLifecycle, isBeingDeleted, type Lifecycle, type Outcome } from "@rookery/runtime";
import type { ComponentObject } from "../component-object.ts";
import { findingOf } from "../error-findings.ts";
import { type Component, selectorLabels } from "../names.ts";
import { pods } from "../resources.ts";
import type { Parent } from "./parent.ts";
import { outcomeOf, type Report, withFailure } from "./report.ts";
import type { ComponentScope } from "./scope.ts";

interface ComponentSteps<T extends ComponentObject, Scope extends ComponentScope<T>> {
  readonly finalizer: string;
  readonly component: Component;
  /** The resources of the objects, without pods, in the order of their removal. */
  readonly resources: readonly Resource[];
  /** Takes the next step towards the spec. */
  provision(component: T, parent: Parent, scope: Scope): Promise<Report>;
  /** Removes what is left after the objects; returns a message while something still exists. */
  removeLast?(component: T, cluster: string, scope: Scope): Promise<string | undefined>;
}

/** The lifecycle of a kind of component, which is provisioned once a control plane owns it. */
export function componentLifecycle<T extends ComponentObject, Scope extends ComponentScope<T>>(
  steps: ComponentSteps<T, Scope>,
): Lifecycle<Scope> {
  return createLifecycle<T, Scope, Parent>({
    finalizer: steps.finalizer,
    forget: (request, { memo }) => memo.forget(formatObjectKey(request)),
    owner: (component, { getParent }) => getParent(component),
    whenPaused: (component, { clock }, parent) => whenPaused(component, parent?.owner, clock),
    whenUnowned: (component, { clock }) => outcomeOf(component, waitingForControlPlane, clock),
    claim: (component, _, parent) => labelled(component, parent),
    provision: (component, scope, parent) => provision(component, scope, { parent, steps }),
    remove: (component, scope) => remove(component, scope, steps),
    errors: {
      findingOf,
      withFinding: (component, finding, { clock }) => withFailure(component, finding, clock),
    },
  });
}

const noOwner = isFalse(
  "WaitingForControlPlane",
  "no NestedControlPlane that a Cluster names owns this object yet",
);
const waitingForControlPlane: Report = { ready: noOwner, upToDate: noOwner };

/** The component with the label by which its objects are found for their deletion. */
function labelled<T extends ComponentObject>(component: T, { cluster }: Parent): T {
  const { metadata } = component;
  const labels = { ...metadata.labels, [clusterNameLabel]: cluster };
  return { ...component, metadata: { ...metadata, labels } };
}

async function provision<T extends ComponentObject, Scope extends ComponentScope<T>>(
  component: T,
  scope: Scope,
  { parent, steps }: { readonly parent: Parent; readonly steps: ComponentSteps<T, Scope> },
): Promise<Outcome<T>> {
  // A step may write the status itself: the report is added to that status.
  let written = component;
  const commit: Scope["commit"] = async (original, desired, options) => {
    written = await scope.commit(original, desired, options);
    return written;
  };
  const report = await steps.provision(component, parent, { ...scope, commit });
  return outcomeOf(written, report, scope.clock);
}

async function remove<T extends ComponentObject, Scope extends ComponentScope<T>>(
  component: T,
  scope: Scope,
  steps: ComponentSteps<T, Scope>,
): Promise<Outcome<T> | "removed"> {
  const cluster = component.metadata.labels?.[clusterNameLabel];
  const left =
    cluster &&
    ((await removeObjects(component, { steps, cluster }, scope)) ??
      (await steps.removeLast?.(component, cluster, scope)));
  if (!left) return "removed";
  const deleting = isFalse("Deleting", left);
  const report = { ready: deleting, upToDate: deleting, retryAfter: 10 };
  return outcomeOf(component, report, scope.clock);
}

/** Deletes the objects of a component. Returns a message while some still exist. */
async function removeObjects<T extends ComponentObject, Scope extends ComponentScope<T>>(
  owner: T,
  { steps, cluster }: { readonly steps: ComponentSteps<T, Scope>; readonly cluster: string },
  { list, remove }: Pick<ComponentScope, "list" | "remove">,
): Promise<string | undefined> {
  const { namespace = "" } = owner.metadata;
  const labels = selectorLabels(cluster, steps.component);
  const left: KubeObject[] = [];
  for (const resource of steps.resources) {
    const all = await list(resource, namespace, labels);
    const owned = all.filter((one) => isControlledBy(one, owner));
    left.push(...owned);
    for (const object of owned) if (!isBeingDeleted(object)) await remove(resource, object);
  }
  left.push(...(await list(pods, namespace, labels)));
  return left.length === 0 ? undefined : `${namesOf(left)} still there`;
}

export function namesOf(objects: readonly KubeObject[]): string {
  const names = objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  return `${names.join(", ")} ${names.length === 1 ? "is" : "are"}`;
}
