import type { DaemonSetStatus } from "@rookery/api";
import type { StoreEntry } from "@rookery/kube";
import { deepEqual } from "@rookery/kube";
import {
  type Controller,
  createStoreSource,
  done,
  isBeingDeleted,
  type Result,
  requeue,
  requeueAfter,
  type Source,
} from "@rookery/runtime";
import { claim } from "../shared/claim.ts";
import { kinds, listObjects } from "../shared/kinds.ts";
import { writeStatus } from "../shared/object-writer.ts";
import type { DaemonSet, Node, Pod } from "../shared/objects.ts";
import { createPod, deletePod, podOf } from "../shared/pod-control.ts";
import { isAvailable, isReady } from "../shared/pod-state.ts";
import { slowStart } from "../shared/slow-start.ts";
import type { Scope, WorkloadContext } from "../shared/workload-context.ts";
import { createWorkloadController } from "../shared/workload-controller.ts";
import { cleanUpHistory, syncHistory } from "./daemon-history.ts";
import { byNode, comparePods, isUpdated, placementOf, templateFor } from "./daemon-pods.ts";
import { FailureBackoff } from "./failure-backoff.ts";
import { type Daemons, type Plan, planNodes } from "./manage-nodes.ts";
import { planUpdate } from "./rolling-update.ts";

/** The most pods that one reconcile creates or deletes. */
const burst = 250;

/** Keeps a pod on each node that fits. */
export function createDaemonSetController(context: WorkloadContext): Controller {
  const backoff = new FailureBackoff();
  return createWorkloadController(context, {
    name: "daemonset-controller",
    kind: kinds.daemonSets,
    dependents: [kinds.pods],
    sources: [nodesSource(context)],
    reconcile: (set, scope) => reconcile(set, backoff, scope),
  });
}

async function reconcile(set: DaemonSet, backoff: FailureBackoff, scope: Scope): Promise<Result> {
  if (isBeingDeleted(set)) return done;
  const dependents = scope.context.pods;
  const pods = await claim(set, { dependents, ownerKind: kinds.daemonSets }, scope);
  const history = await syncHistory(set, pods, scope);
  if (history === undefined) return requeue;
  const nodes = listObjects(scope.context.store, kinds.nodes);
  const { hash, old } = history;
  const daemons = { set, nodes, pods: byNode(pods), hash, scope, backoff };
  const { failure, waitSeconds } = await act(daemons);
  if (failure === undefined) await cleanUpHistory(set, { old, pods }, scope);
  return finish(daemons, { failure, waitSeconds });
}

/** Creates missing and deletes surplus pods; updates outdated ones once none are missing or surplus. */
async function act(daemons: Daemons) {
  const plan = planNodes(daemons);
  const { waitSeconds } = plan;
  if (plan.create.length + plan.remove.length > 0) {
    return { failure: await applyPlan(plan, daemons), waitSeconds };
  }
  if (daemons.set.spec.updateStrategy?.type !== "RollingUpdate") return { waitSeconds };
  return { failure: await applyPlan(planUpdate(daemons), daemons), waitSeconds };
}

/** Returns a failure. */
async function applyPlan(plan: Plan, { set, hash, scope }: Daemons): Promise<unknown> {
  const nodeNames = plan.create.slice(0, burst);
  const created = await slowStart(nodeNames.length, (index) =>
    createPod(set, podOf(set, templateFor(set, nodeNames[index] ?? "", hash)), scope),
  );
  const removed = await Promise.allSettled(
    plan.remove.slice(0, burst).map((pod) => deletePod(set, pod, scope)),
  );
  const refused = removed.find((outcome) => outcome.status === "rejected");
  return created.failure ?? refused?.reason;
}

async function finish(
  daemons: Daemons,
  acted: { readonly failure: unknown; readonly waitSeconds: number | undefined },
): Promise<Result> {
  const { set, scope } = daemons;
  const status = daemonStatus(daemons);
  await writeStatus(set, { kind: kinds.daemonSets, status }, scope);
  if (acted.failure !== undefined) return requeue;
  const { minReadySeconds = 0 } = set.spec;
  const isWaiting = minReadySeconds > 0 && status.numberReady !== status.numberAvailable;
  const wait = acted.waitSeconds ?? (isWaiting ? minReadySeconds : undefined);
  return wait === undefined ? done : requeueAfter(wait);
}

/** Requests for all DaemonSets from nodes that come, go, or become other ones to the scheduler. */
function nodesSource({ store }: WorkloadContext): Source {
  return createStoreSource({
    store,
    resource: kinds.nodes.stored,
    requestsOf(_, event) {
      const isNews = !deepEqual(traitsOf(event?.previous), traitsOf(event?.entry));
      if (event !== undefined && !isNews) return [];
      return listObjects(store, kinds.daemonSets).map(({ metadata }) => ({
        namespace: metadata.namespace ?? "",
        name: metadata.name ?? "",
      }));
    },
  });
}

function traitsOf(entry: StoreEntry | undefined) {
  if (entry === undefined) return null;
  const { metadata, spec } = entry.object as Node;
  return [metadata.labels ?? {}, spec?.taints ?? []];
}

/** The counts of nodes, by whether they shall have a pod and how the one is that they have. */
function daemonStatus(daemons: Daemons): DaemonSetStatus {
  const { set, nodes, pods, hash, scope } = daemons;
  const podsOn = (name: string | undefined) => pods.get(name ?? "") ?? [];
  const wanting = nodes.filter((node) => placementOf(set, node).shouldRun);
  const others = nodes.filter((node) => !placementOf(set, node).shouldRun);
  const first = wanting.flatMap(({ metadata }) => {
    const [pod] = podsOn(metadata.name).toSorted(comparePods);
    return pod ?? [];
  });
  const isServing = (pod: Pod) =>
    isAvailable(pod, set.spec.minReadySeconds ?? 0, scope.context.now());
  const numberAvailable = first.filter(isServing).length;
  const { collisionCount } = set.status;
  return {
    currentNumberScheduled: first.length,
    numberMisscheduled: others.filter(({ metadata }) => podsOn(metadata.name).length > 0).length,
    desiredNumberScheduled: wanting.length,
    numberReady: first.filter(isReady).length,
    observedGeneration: set.metadata.generation ?? 0,
    updatedNumberScheduled: first.filter((pod) => isUpdated(pod, set, hash)).length,
    numberAvailable,
    numberUnavailable: wanting.length - numberAvailable,
    ...(collisionCount !== undefined && { collisionCount }),
  };
}
