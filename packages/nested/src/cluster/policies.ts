import type { NestedCluster, NestedControlPlane } from "@rookery/api";
import {
  type ContractReference,
  clusterApiGroup,
  type OwnerCluster,
  refersTo,
} from "@rookery/cluster-api";
import { parseApiVersion } from "@rookery/kube";
import { controlPlanes } from "../resources.ts";

/** The reference for a Cluster without a control plane, in the form of the Cluster's contract. */
export function referenceFor(
  { metadata, spec }: NestedCluster,
  owner: OwnerCluster,
): ContractReference | undefined {
  const reference = spec?.controlPlaneRef;
  if (!refersTo(reference, controlPlanes) || owner.spec?.controlPlaneRef?.name) return undefined;
  const { apiVersion = "", kind = "", name } = reference;
  if (owner.apiVersion === `${clusterApiGroup}/v1beta1`) {
    const { namespace } = metadata;
    return { apiVersion, kind, name, ...(namespace && { namespace }) };
  }
  return { apiGroup: parseApiVersion(apiVersion).group, kind, name };
}

/** The name of the control plane that the Cluster names, or will name. */
export function controlPlaneName({ spec }: NestedCluster, owner: OwnerCluster): string | undefined {
  const named = owner.spec?.controlPlaneRef;
  const reference = named?.name ? named : spec?.controlPlaneRef;
  return refersTo(reference, controlPlanes) ? reference.name : undefined;
}

type Endpoint = NonNullable<NestedControlPlane["spec"]["controlPlaneEndpoint"]>;

export function endpointOf({ spec }: NestedControlPlane): Endpoint | undefined {
  const endpoint = spec.controlPlaneEndpoint;
  return endpoint?.host && endpoint.port ? endpoint : undefined;
}
