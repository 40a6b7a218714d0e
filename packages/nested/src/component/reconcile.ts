import { clusterNameLabel, isPaused, notPaused, paused } from "@rookery/cluster-api";
import { formatObjectKey, withConditions } from "@rookery/kube";
import {
  done,
  hasFinalizer,
  isBeingDeleted,
  type Request,
  type Result,
  requeueAfter,
  withFinalizer,
  withoutFinalizer,
} from "@rookery/runtime";
import type { ComponentObject } from "../component-object.ts";
import type { ControlPlaneOf } from "./home.ts";
import { isNotSo, type Report, statementsOf, statusOf } from "./report.ts";
import type { ComponentDependencies } from "./scope.ts";

/** What is particular about a kind of component. */
export interface ComponentKind<T extends ComponentObject, D extends ComponentDependencies<T>> {
  readonly finalizer: string;
  /** Brings what there is one step closer to what the spec says. */
  provision(component: T, home: ControlPlaneOf, dependencies: D): Promise<Report>;
  /** Says what is still there of a component that is deleted; undefined once nothing is. */
  remove(component: T, cluster: string, dependencies: D): Promise<string | undefined>;
}

/** Lets a component be what its spec says, once a control plane owns it. */
export async function reconcileComponent<
  T extends ComponentObject,
  D extends ComponentDependencies<T>,
>(request: Request, kind: ComponentKind<T, D>, dependencies: D): Promise<Result> {
  const component = await dependencies.get(request);
  if (!component) return forget(request, dependencies);
  const home = await dependencies.getControlPlane(component);
  if (isPaused(home?.owner, component)) {
    const statements = [paused];
    await dependencies.commit(component, withConditions(component, statements, dependencies.clock));
    return done;
  }
  if (isBeingDeleted(component)) return remove(component, kind, dependencies);
  // All that a component is made of is named after the Cluster: one that only is claimed does not count.
  if (!home?.owner) return say(component, waitingForControlPlane, dependencies);
  const claimed = await dependencies.commit(component, claim(component, kind.finalizer, home));
  return say(claimed, await kind.provision(claimed, home, dependencies), dependencies);
}

function forget(request: Request, { memo }: Pick<ComponentDependencies<never>, "memo">): Result {
  memo.forget(formatObjectKey(request));
  return done;
}

const noOwner = isNotSo(
  "WaitingForControlPlane",
  "no NestedControlPlane that a Cluster names owns this object yet",
);
const waitingForControlPlane: Report = { ready: noOwner, upToDate: noOwner };

/** With the finalizer, and with the name by which what belongs to it is found again. */
function claim<T extends ComponentObject>(
  component: T,
  finalizer: string,
  home: ControlPlaneOf,
): T {
  const { metadata } = component;
  const labels = { ...metadata.labels, [clusterNameLabel]: home.cluster };
  return withFinalizer({ ...component, metadata: { ...metadata, labels } }, finalizer);
}

async function remove<T extends ComponentObject, D extends ComponentDependencies<T>>(
  component: T,
  kind: ComponentKind<T, D>,
  dependencies: D,
): Promise<Result> {
  if (!hasFinalizer(component, kind.finalizer)) return done;
  const cluster = component.metadata.labels?.[clusterNameLabel];
  const left = cluster ? await kind.remove(component, cluster, dependencies) : undefined;
  if (left) {
    const deleting = isNotSo("Deleting", left);
    const report = { ready: deleting, upToDate: deleting, retryAfter: 10 };
    return say(component, report, dependencies);
  }
  await dependencies.commit(component, withoutFinalizer(component, kind.finalizer));
  return done;
}

/** The status is read anew, because a step may have written to it. */
async function say<T extends ComponentObject, D extends ComponentDependencies<T>>(
  component: T,
  report: Report,
  { commit, clock }: D,
): Promise<Result> {
  const statements = [...statementsOf(report), notPaused];
  const stated = withConditions(component, statements, clock) as T;
  const conditions = stated.status?.conditions;
  await commit(component, { ...stated, status: { ...statusOf(report, component), conditions } });
  return report.retryAfter === undefined ? done : requeueAfter(report.retryAfter);
}
