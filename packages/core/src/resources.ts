import {
  cluster,
  clusterResourceSet,
  clusterResourceSetBinding,
  machine,
  resourceOf,
} from "@rookery/api";
import { builtInResources, type Resource } from "@rookery/kube";

export const clusters = resourceOf(cluster, "v1beta2");
export const machines = resourceOf(machine, "v1beta2");
export const resourceSets = resourceOf(clusterResourceSet, "v1beta2");
export const resourceSetBindings = resourceOf(clusterResourceSetBinding, "v1beta2");

export const { secrets, configMaps } = builtInResources;

export const customResourceDefinitions = clusterScoped(
  "apiextensions.k8s.io",
  "CustomResourceDefinition",
);
export const validatingConfigurations = clusterScoped(
  "admissionregistration.k8s.io",
  "ValidatingWebhookConfiguration",
);
export const mutatingConfigurations = clusterScoped(
  "admissionregistration.k8s.io",
  "MutatingWebhookConfiguration",
);
export const nodes = clusterScoped("", "Node");
export const pods: Resource = { ...clusterScoped("", "Pod"), namespaced: true };

function clusterScoped(group: string, kind: string): Resource {
  const singular = kind.toLowerCase();
  return {
    ...{ group, version: "v1", kind },
    ...{ plural: `${singular}s`, singular, namespaced: false },
  };
}
