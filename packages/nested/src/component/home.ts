import type { NestedControlPlane } from "@rookery/api";
import type { OwnerCluster } from "@rookery/cluster-api";
import { controllerOf, type KubeObject, keyBeside } from "@rookery/kube";
import type { ReconcileContext } from "@rookery/runtime";
import { type NestedParts, ownerReader } from "../parts.ts";
import { controlPlanes } from "../resources.ts";

/** The control plane that a component belongs to. */
export interface Home {
  readonly controlPlane: NestedControlPlane;
  /** The Cluster that owns the control plane and names it. */
  readonly owner: OwnerCluster;
  /** The name of the Cluster, after which everything is named. */
  readonly cluster: string;
  readonly namespace: string;
}

/**
 * Finds the control plane that controls a component; undefined where there is none, or no Cluster owns and
 * names it: all objects of a component are named after the Cluster, which anybody could claim to be in.
 */
export async function homeOf(
  component: KubeObject,
  context: Pick<ReconcileContext<KubeObject>, "cache">,
  parts: NestedParts,
): Promise<Home | undefined> {
  const reference = controllerOf(component);
  const isOurs = reference?.apiVersion.startsWith(`${controlPlanes.group}/`);
  if (!isOurs || reference?.kind !== controlPlanes.kind) return undefined;
  const key = keyBeside(component, reference.name);
  const controlPlane = await context.cache.get<NestedControlPlane>(controlPlanes, key);
  if (controlPlane?.metadata.uid !== reference.uid) return undefined;
  const owner = await ownerReader(controlPlanes, context, parts)(controlPlane);
  const { namespace = "" } = component.metadata;
  return owner && { controlPlane, owner, cluster: owner.metadata.name ?? "", namespace };
}
