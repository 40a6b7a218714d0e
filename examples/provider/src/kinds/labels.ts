/** By these labels Cluster API and clusterctl find the CRDs of the provider, and the contract of their version. */
export const contractLabels = {
  "cluster.x-k8s.io/provider": "infrastructure-hosts",
  "cluster.x-k8s.io/v1beta1": "v1beta1",
  "cluster.x-k8s.io/v1beta2": "v1beta1",
  "clusterctl.cluster.x-k8s.io": "",
} as const;
