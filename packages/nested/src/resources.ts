import {
  nestedAPIServer,
  nestedCluster,
  nestedClusterTemplate,
  nestedControllerManager,
  nestedControlPlane,
  nestedControlPlaneTemplate,
  nestedEtcd,
  resourceOf,
} from "@rookery/api";
import { builtInResources, type Resource } from "@rookery/kube";

export const clusters = resourceOf(nestedCluster, "v1alpha4");
export const clusterTemplates = resourceOf(nestedClusterTemplate, "v1alpha4");
export const controlPlanes = resourceOf(nestedControlPlane, "v1alpha4");
export const controlPlaneTemplates = resourceOf(nestedControlPlaneTemplate, "v1alpha4");
export const etcds = resourceOf(nestedEtcd, "v1alpha4");
export const apiServers = resourceOf(nestedAPIServer, "v1alpha4");
export const controllerManagers = resourceOf(nestedControllerManager, "v1alpha4");

export const { secrets, configMaps } = builtInResources;
export const services = builtIn("", "Service");
export const pods = builtIn("", "Pod");
export const persistentVolumeClaims = builtIn("", "PersistentVolumeClaim");
export const statefulSets = builtIn("apps", "StatefulSet");
export const deployments = builtIn("apps", "Deployment");
export const podDisruptionBudgets = builtIn("policy", "PodDisruptionBudget");

export const clusterRoleBindings: Resource = {
  ...builtIn("rbac.authorization.k8s.io", "ClusterRoleBinding"),
  namespaced: false,
};

export const webhookConfigurations: Resource = {
  ...builtIn("admissionregistration.k8s.io", "ValidatingWebhookConfiguration"),
  namespaced: false,
};

function builtIn(group: string, kind: string): Resource {
  const singular = kind.toLowerCase();
  return { group, version: "v1", kind, plural: `${singular}s`, singular, namespaced: true };
}
