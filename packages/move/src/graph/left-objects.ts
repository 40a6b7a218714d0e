import type { ObjectKey } from "@rookery/kube";
import type { MoveSequence } from "./move-plan.ts";
import { isIdentity, type MovedNode } from "./moved-node.ts";
import { type ObjectGraph, ownersOf } from "./object-graph.ts";

/** An object of a provider that is not moved. */
export interface LeftObject {
  readonly kind: string;
  readonly key: ObjectKey;
  readonly why: string;
}

/** For one cluster, only the objects that cannot be moved. */
export function leftObjects(
  { nodes }: ObjectGraph,
  { groups, orphans }: MoveSequence,
  cluster: MovedNode | undefined,
): readonly LeftObject[] {
  const placed = new Set(groups.flat());
  const without = new Set(orphans);
  return nodes
    .filter((node) => node.object && !placed.has(node))
    .filter((node) => without.has(node) || (!cluster && isOfProvider(node)))
    .map((node) => ({ ...named(node), why: whyLeft(node, placed, without) }));
}

/** Excludes Secrets, ConfigMaps and the inventory of clusterctl. */
function isOfProvider({ groupKind }: MovedNode): boolean {
  return groupKind.includes(".") && !groupKind.endsWith(".clusterctl.cluster.x-k8s.io");
}

function named({ object, key, groupKind }: MovedNode): Pick<LeftObject, "kind" | "key"> {
  return { kind: object?.kind ?? groupKind, key };
}

function whyLeft(
  node: MovedNode,
  placed: ReadonlySet<MovedNode>,
  orphans: ReadonlySet<MovedNode>,
): string {
  if (isIdentity(node)) {
    return "nothing that is moved names it; the label clusterctl.cluster.x-k8s.io/move has it moved";
  }
  if (!orphans.has(node)) {
    return "no cluster owns it; the label clusterctl.cluster.x-k8s.io/move has it moved";
  }
  const missing = ownersOf(node).filter((owner) => !placed.has(owner));
  const foreign = missing.find((owner) => !owner.object) ?? missing.find((o) => !orphans.has(o));
  if (foreign) return `its owner ${foreign.groupKind} ${foreign.key.name} is not moved`;
  const [first] = missing;
  return `its owner ${first?.groupKind} ${first?.key.name} is left, too`;
}
