/** The labels by which Cluster API and clusterctl find the CRDs of the provider. */
export const vsphereLabels = {
  "cluster.x-k8s.io/provider": "infrastructure-vsphere",
  "cluster.x-k8s.io/v1beta1": "v1beta1",
  "cluster.x-k8s.io/v1beta2": "v1beta1",
  "clusterctl.cluster.x-k8s.io": "",
} as const;
