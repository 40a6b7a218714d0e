import type { Pod } from "@rookery/api";
import { matchesAffinity } from "./node-affinity.ts";
import type { NodeState } from "./node-state.ts";
import { podAffinityReason, type Surroundings } from "./pod-affinity.ts";
import { type ClaimVerdict, reachesVolumes } from "./pod-claims.ts";
import { type Amounts, requestsOf } from "./pod-requests.ts";
import { tolerates, toleratesAll } from "./tolerations.ts";

export type Placement =
  | { readonly kind: "node"; readonly node: NodeState }
  | { readonly kind: "none"; readonly message: string };

const volumeConflict: Rejection = {
  reasons: ["node(s) didn't match PersistentVolume's node affinity"],
  isResolvable: false,
};

/** Finds the node for a pod: of those that fit, the one with the fewest pods. */
export function placePod(pod: Pod, around: Surroundings, claims: ClaimVerdict): Placement {
  const { nodes } = around;
  if (nodes.length === 0) return none("no nodes available to schedule pods");
  const head = `0/${nodes.length} nodes are available:`;
  if (claims.kind === "problem") {
    const message = `${head} ${claims.message}. ${preemption(pod, nodes.map(unresolvable))}`;
    return none(message);
  }
  const verdicts = nodes.map((node) => {
    const isReached = reachesVolumes(claims.volumes, node.node);
    return {
      node,
      rejection: rejectionOf(pod, node, around) ?? (isReached ? undefined : volumeConflict),
    };
  });
  const fitting = verdicts.filter(({ rejection }) => rejection === undefined);
  const [best] = fitting.map(({ node }) => node).toSorted((a, b) => a.pods.length - b.pods.length);
  if (best) return { kind: "node", node: best };
  const rejections = verdicts.flatMap(({ rejection }) => rejection ?? []);
  return none(`${head} ${histogram(rejections)}. ${preemption(pod, rejections)}`);
}

function none(message: string): Placement {
  return { kind: "none", message };
}

function unresolvable(): Rejection {
  return { reasons: [], isResolvable: false };
}

/** How many nodes have each reason. */
function histogram(rejections: readonly Rejection[]): string {
  const counts = new Map<string, number>();
  for (const reason of rejections.flatMap(({ reasons }) => reasons)) {
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  const shown = [...counts].map(([reason, count]) => `${count} ${reason}`);
  return shown.sort().join(", ");
}

/** Nobody is sent away for another here, which is said as kube-scheduler says that it would not help. */
function preemption({ spec }: Pod, rejections: readonly Rejection[]): string {
  if (spec?.preemptionPolicy === "Never") {
    return "no new claims to deallocate, preemption: not eligible due to preemptionPolicy=Never.";
  }
  const why = rejections.map(({ isResolvable }) =>
    isResolvable
      ? "No preemption victims found for incoming pod"
      : "Preemption is not helpful for scheduling",
  );
  const said = histogram(why.map((reason) => ({ reasons: [reason], isResolvable: false })));
  return `no new claims to deallocate, preemption: 0/${rejections.length} nodes are available: ${said}.`;
}

/** Why a node is not for a pod, in the words of kube-scheduler. */
interface Rejection {
  readonly reasons: readonly string[];
  /** Whether it would help if others left. */
  readonly isResolvable: boolean;
}

const unschedulable = { key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" };

/** Undefined where the pod fits. The first thing that is wrong is said, as kube-scheduler does. */
function rejectionOf(pod: Pod, state: NodeState, around: Surroundings): Rejection | undefined {
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

/** The resources that a node lacks. */
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
