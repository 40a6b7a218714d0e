import { resourceOf, vsphereCluster, vsphereClusterIdentity, vsphereVm } from "@rookery/api";
import type { Resource } from "@rookery/kube";

export const clusters = resourceOf(vsphereCluster, "v1beta1");
export const identities = resourceOf(vsphereClusterIdentity, "v1beta1");
export const machines = resourceOf(vsphereVm, "v1beta1");

export const secrets: Resource = {
  group: "",
  version: "v1",
  kind: "Secret",
  plural: "secrets",
  singular: "secret",
  namespaced: true,
};

export const namespaces: Resource = {
  group: "",
  version: "v1",
  kind: "Namespace",
  plural: "namespaces",
  singular: "namespace",
  namespaced: false,
};
