const contracts = {
  "cluster.x-k8s.io/v1beta1": "v1alpha4",
  "cluster.x-k8s.io/v1beta2": "v1alpha4",
  "clusterctl.cluster.x-k8s.io": "",
} as const;

/** What Cluster API and clusterctl find the CRDs of the infrastructure provider by. */
export const infrastructureLabels = {
  ...contracts,
  "cluster.x-k8s.io/provider": "infrastructure-nested",
} as const;

/** What Cluster API and clusterctl find the CRDs of the control plane provider by. */
export const controlPlaneLabels = {
  ...contracts,
  "cluster.x-k8s.io/provider": "control-plane-nested",
} as const;
