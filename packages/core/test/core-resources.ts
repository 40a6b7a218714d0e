import {
  cluster,
  clusterResourceSet,
  clusterResourceSetBinding,
  machine,
  resourceOf,
} from "@rookery/api";
import { builtInResources } from "@rookery/kube";

export const clusters = resourceOf(cluster, "v1beta2");
export const machines = resourceOf(machine, "v1beta2");
export const resourceSets = resourceOf(clusterResourceSet, "v1beta2");
export const bindings = resourceOf(clusterResourceSetBinding, "v1beta2");
export const { secrets, configMaps, namespaces, nodes } = builtInResources;
