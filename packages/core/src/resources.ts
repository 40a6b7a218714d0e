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
export const resourceSetBindings = resourceOf(clusterResourceSetBinding, "v1beta2");

export const { configMaps, customResourceDefinitions, nodes, pods, secrets } = builtInResources;
