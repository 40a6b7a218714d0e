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
import { builtInResources, parseApiVersion, type Resource } from "@rookery/kube";

export const clusters = resourceOf(nestedCluster, "v1alpha4");
export const clusterTemplates = resourceOf(nestedClusterTemplate, "v1alpha4");
export const controlPlanes = resourceOf(nestedControlPlane, "v1alpha4");
export const controlPlaneTemplates = resourceOf(nestedControlPlaneTemplate, "v1alpha4");
export const etcds = resourceOf(nestedEtcd, "v1alpha4");
export const apiServers = resourceOf(nestedAPIServer, "v1alpha4");
export const controllerManagers = resourceOf(nestedControllerManager, "v1alpha4");

/** The kinds of components, by the fields of a control plane's spec, in the order of their start. */
export const componentResources = {
  etcd: etcds,
  apiserver: apiServers,
  controllerManager: controllerManagers,
} as const;

export interface KindReference {
  readonly apiVersion: string;
  readonly kind: string;
}

/** The resource of one of our kinds of components; undefined for foreign kinds. */
export function ownResource({ apiVersion, kind }: KindReference): Resource | undefined {
  const { group } = parseApiVersion(apiVersion);
  return Object.values(componentResources).find((own) => own.group === group && own.kind === kind);
}

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
  validatingWebhookConfigurations,
} = builtInResources;
