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
import { builtInResources } from "@rookery/kube";

export const clusters = resourceOf(nestedCluster, "v1alpha4");
export const clusterTemplates = resourceOf(nestedClusterTemplate, "v1alpha4");
export const controlPlanes = resourceOf(nestedControlPlane, "v1alpha4");
export const controlPlaneTemplates = resourceOf(nestedControlPlaneTemplate, "v1alpha4");
export const etcds = resourceOf(nestedEtcd, "v1alpha4");
export const apiServers = resourceOf(nestedAPIServer, "v1alpha4");
export const controllerManagers = resourceOf(nestedControllerManager, "v1alpha4");

export const {
  clusterRoleBindings,
  configMaps,
  deployments,
  persistentVolumeClaims,
  podDisruptionBudgets,
  pods,
  secrets,
  services,
  statefulSets,
  validatingWebhookConfigurations: webhookConfigurations,
} = builtInResources;
