/** The labels by which clusterctl and providers find the CRDs of the core. */
export const coreLabels = {
  "cluster.x-k8s.io/provider": "rookery-core",
  "cluster.x-k8s.io/v1beta2": "v1beta2",
  "clusterctl.cluster.x-k8s.io": "",
} as const;
