import type { NestedCluster } from "@rookery/api";
import {
  type ContractReference,
  clusterApiGroup,
  type OwnerCluster,
  refersTo,
} from "@rookery/cluster-api";
import { parseApiVersion } from "@rookery/kube";
import { controlPlanes } from "../resources.ts";

/**
 * What a Cluster without a control plane is given: the one that its NestedCluster names, in the words
 * of the contract that the Cluster is read in.
 */
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
