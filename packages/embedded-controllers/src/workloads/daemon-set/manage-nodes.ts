import { isBeingDeleted } from "@rookery/runtime";
import type { DaemonSet, Node, Pod } from "../shared/objects.ts";
import { isAvailable, isReady } from "../shared/pod-state.ts";
import { scaledValue } from "../shared/scaled-value.ts";
import { emit, type Scope, warn } from "../shared/workload-context.ts";
import { comparePods, hashLabel, type NodePods, placementOf } from "./daemon-pods.ts";
import type { FailureBackoff } from "./failure-backoff.ts";

/** Pods to create and to delete; failed pods may be replaced after `waitSeconds`. */
export interface Plan {
  readonly create: readonly string[];
  readonly remove: readonly Pod[];
  readonly waitSeconds?: number;
}

export interface Daemons {
  readonly set: DaemonSet;
  readonly nodes: readonly Node[];
  readonly pods: NodePods;
  /** Of the wanted template. */
  readonly hash: string;
  readonly scope: Scope;
  readonly backoff: FailureBackoff;
}

/** Plans the pods that nodes lack, and the pods that are surplus. */
export function planNodes(daemons: Daemons): Plan {
  const plans = daemons.nodes.map((node) => planNode(daemons, node));
  const waits = plans.flatMap(({ waitSeconds }) => waitSeconds ?? []);
  return {
    create: plans.flatMap(({ create }) => create),
    remove: [...plans.flatMap(({ remove }) => remove), ...withoutNode(daemons)],
    ...(waits.length > 0 && { waitSeconds: Math.min(...waits) }),
  };
}

function planNode(daemons: Daemons, node: Node): Plan {
  const { name = "" } = node.metadata;
  const { shouldRun, mayContinue } = placementOf(daemons.set, node);
  const pods = daemons.pods.get(name);
  if (pods === undefined) return { create: shouldRun ? [name] : [], remove: [] };
  const there = pods.filter((pod) => !isBeingDeleted(pod));
  if (!mayContinue) return { create: [], remove: there };
  const { finished, waitSeconds } = replaceFinished(daemons, node, there);
  const running = there.filter(({ status }) => !isOver(status.phase)).toSorted(comparePods);
  const lacks = allowsSurge(daemons.set) && shouldRun && running.length === 0;
  return {
    create: lacks ? [name] : [],
    remove: [...finished, ...surplus(daemons, running)],
    ...(waitSeconds !== undefined && { waitSeconds }),
  };
}

const isOver = (phase: string | undefined) => phase === "Failed" || phase === "Succeeded";

function replaceFinished(daemons: Daemons, node: Node, pods: readonly Pod[]) {
  const { set, scope, backoff } = daemons;
  const finished: Pod[] = [];
  let waitSeconds: number | undefined;
  for (const pod of pods) {
    const { namespace, name } = pod.metadata;
    const where = `daemon pod ${namespace}/${name} on node ${node.metadata.name}`;
    if (pod.status.phase === "Succeeded") {
      const note = `Found succeeded ${where}, will try to delete it`;
      emit(scope, set, "SucceededDaemonPod", note);
      finished.push(pod);
    }
    if (pod.status.phase !== "Failed") continue;
    const key = `${set.metadata.uid}/${set.status.observedGeneration}/${node.metadata.name}`;
    const wait = backoff.next(key, scope.context.now());
    if (wait > 0) waitSeconds = wait;
    else {
      warn(scope, set, "FailedDaemonPod", `Found failed ${where}, will try to kill it`);
      finished.push(pod);
    }
  }
  return { finished, waitSeconds };
}

/** The oldest stays; where pods may overlap, the oldest of either template, until the new one serves. */
function surplus({ set, hash, scope }: Daemons, running: readonly Pod[]): Pod[] {
  if (!allowsSurge(set) || running.length <= 1) return running.slice(1);
  const isNew = ({ metadata }: Pod) => metadata.labels?.[hashLabel] === hash;
  const newest = running.find(isNew);
  const old = running.find((pod) => !isNew(pod));
  const others = running.filter((pod) => pod !== newest && pod !== old);
  if (newest === undefined || old === undefined) return others;
  const { minReadySeconds = 0 } = set.spec;
  const isReplaced = !isReady(old) || isAvailable(newest, minReadySeconds, scope.context.now());
  return isReplaced ? [...others, old] : others;
}

/** Pods that wait for a node which is gone. */
function withoutNode({ nodes, pods }: Daemons): Pod[] {
  const known = new Set(nodes.map(({ metadata }) => metadata.name));
  return [...pods].flatMap(([name, each]) =>
    known.has(name) ? [] : each.filter(({ spec }) => !spec.nodeName),
  );
}

function allowsSurge({ spec }: DaemonSet): boolean {
  const { type, rollingUpdate } = spec.updateStrategy ?? {};
  return type === "RollingUpdate" && scaledValue(rollingUpdate?.maxSurge, 1, "up") > 0;
}
