import type { Pod } from "@rookery/api";
import { matchesAffinity } from "./node-affinity.ts";
import type { NodeState } from "./node-state.ts";
import { podAffinityReason, type Surroundings } from "./pod-affinity.ts";
import { type Amounts, requestsOf } from "./pod-requests.ts";
import { tolerates, toleratesAll } from "./tolerations.ts";

/** Why a node is not for a pod, in the words of kube-scheduler. */
export interface Rejection {
  readonly reasons: readonly string[];
  /** Whether it would help if others left. */
  readonly isResolvable: boolean;
}

const unschedulable = { key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" };

/** Undefined where the pod fits. The first thing that is wrong is said, as kube-scheduler does. */
export function rejectionOf(
  pod: Pod,
  state: NodeState,
  around: Surroundings,
): Rejection | undefined {
  const { spec = {} } = pod;
  const { tolerations = [] } = spec;
  const { node } = state;
  const isClosed = node.spec?.unschedulable ?? false;
  if (isClosed && !tolerations.some((each) => tolerates(each, unschedulable))) {
    return final("node(s) were unschedulable");
  }
  if (!toleratesAll(node.spec?.taints ?? [], tolerations)) {
    return final("node(s) had untolerated taint(s)");
  }
  if (!matchesAffinity(spec, node)) {
    return final("node(s) didn't match Pod's node affinity/selector");
  }
  if (state.hasPortsOf(pod)) {
    return passing(["node(s) didn't have free ports for the requested pod ports"]);
  }
  return shortage(pod, state) ?? affinityRejection(pod, state, around);
}

function affinityRejection(
  pod: Pod,
  state: NodeState,
  around: Surroundings,
): Rejection | undefined {
  const reason = podAffinityReason(pod, state, around);
  return reason === undefined ? undefined : passing([reason]);
}

/** What a node has too little of. */
function shortage(pod: Pod, state: NodeState): Rejection | undefined {
  const requests = requestsOf(pod);
  const allowed = amount(state.allocatable, "pods") / 1000n;
  const isFull = BigInt(state.pods.length) + 1n > allowed;
  const names = [...requests.keys()].filter((name) => {
    const wanted = amount(requests, name);
    const free = amount(state.allocatable, name) - amount(state.requested, name);
    return wanted > 0n && wanted > free;
  });
  const reasons = [
    ...(isFull ? ["Too many pods"] : []),
    ...names.map((name) => `Insufficient ${name}`),
  ];
  if (reasons.length === 0) return undefined;
  const isHopeless = names.some((name) => {
    return amount(requests, name) > amount(state.allocatable, name);
  });
  return { reasons, isResolvable: !isHopeless };
}

function amount(amounts: Amounts, name: string): bigint {
  return amounts.get(name) ?? 0n;
}

function final(reason: string): Rejection {
  return { reasons: [reason], isResolvable: false };
}

function passing(reasons: readonly string[]): Rejection {
  return { reasons, isResolvable: true };
}
