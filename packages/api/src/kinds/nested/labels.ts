const contracts = {
  "cluster.x-k8s.io/v1beta1": "v1alpha4",
  "cluster.x-k8s.io/v1beta2": "v1alpha4",
  "clusterctl.cluster.x-k8s.io": "",
} as const;

/** The labels by which Cluster API and clusterctl find the CRDs of the infrastructure provider. */
export const infrastructureLabels = {
  ...contracts,
  "cluster.x-k8s.io/provider": "infrastructure-nested",
} as const;

/** The labels by which Cluster API and clusterctl find the CRDs of the control plane provider. */
export const controlPlaneLabels = {
  ...contracts,
  "cluster.x-k8s.io/provider": "control-plane-nested",
} as const;
