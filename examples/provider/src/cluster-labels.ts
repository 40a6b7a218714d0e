import { clusterApiOwner, clusterNameLabel } from "@rookery/cluster-api";
import { labelSelectorFromSet } from "@rookery/kube";
import type { HostCluster } from "./kinds/host-cluster.ts";

/** Selects the HostMachines of a cluster: Cluster API labels each with the name of its Cluster. */
export function machinesOf({ metadata }: Pick<HostCluster, "metadata">) {
  const { namespace = "", name = "" } = metadata;
  const cluster = clusterApiOwner(metadata, "Cluster")?.name ?? name;
  return { namespace, labels: labelSelectorFromSet({ [clusterNameLabel]: cluster }) };
}
