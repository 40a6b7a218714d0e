import type { NestedControlPlane } from "@rookery/api";
import { clusterApiOwner, isOwnedAndNamedBy, type OwnerCluster } from "@rookery/cluster-api";
import { controllerOf, type KubeObject, type OwnerReference, type Resource } from "@rookery/kube";
import type { Cache, Request } from "@rookery/runtime";
import { controlPlanes } from "../resources.ts";

/** The control plane that a component belongs to. */
export interface ControlPlaneOf {
  readonly controlPlane: NestedControlPlane;
  /** The name of the Cluster, after which everything is named. */
  readonly cluster: string;
  readonly namespace: string;
  /** Undefined where it is gone already, or does not name the control plane. */
  readonly owner: OwnerCluster | undefined;
}

/** Finds the control plane that owns a component; undefined where none does, or no Cluster owns it. */
export async function controlPlaneOf(
  component: KubeObject,
  { cache, ownerClusters }: { readonly cache: Cache; readonly ownerClusters: Resource },
): Promise<ControlPlaneOf | undefined> {
  const reference = controlPlaneReference(component);
  const { namespace = "" } = component.metadata;
  if (!reference) return undefined;
  const key: Request = { namespace, name: reference.name };
  const controlPlane = await cache.get<NestedControlPlane>(controlPlanes, key);
  if (controlPlane?.metadata.uid !== reference.uid) return undefined;
  const cluster = clusterApiOwner(controlPlane.metadata, "Cluster")?.name;
  if (!cluster) return undefined;
  const found = await cache.get<OwnerCluster>(ownerClusters, { namespace, name: cluster });
  const owner = found && isOwnedAndNamedBy(controlPlane, found, controlPlanes) ? found : undefined;
  return { controlPlane, cluster, namespace, owner };
}

/** The NestedControlPlane that is the controller of a component. */
function controlPlaneReference(component: KubeObject): OwnerReference | undefined {
  const owner = controllerOf(component);
  const isOurs = owner?.apiVersion.startsWith(`${controlPlanes.group}/`);
  return isOurs && owner?.kind === controlPlanes.kind ? owner : undefined;
}
