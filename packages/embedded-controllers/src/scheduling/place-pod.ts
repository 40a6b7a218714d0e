import type { Pod } from "@rookery/api";
import { type Rejection, rejectionOf } from "./filter-node.ts";
import type { NodeState } from "./node-state.ts";
import type { Surroundings } from "./pod-affinity.ts";
import { type ClaimVerdict, reachesVolumes } from "./pod-claims.ts";

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
