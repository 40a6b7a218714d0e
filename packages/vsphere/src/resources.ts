import { resourceOf, vsphereCluster, vsphereClusterIdentity, vsphereVm } from "@rookery/api";
import { builtInResources } from "@rookery/kube";

export const clusters = resourceOf(vsphereCluster, "v1beta1");
export const identities = resourceOf(vsphereClusterIdentity, "v1beta1");
export const machines = resourceOf(vsphereVm, "v1beta1");

export const { secrets, namespaces } = builtInResources;
