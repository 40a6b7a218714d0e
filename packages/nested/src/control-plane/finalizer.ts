/** Held while components and Secrets of a control plane may be there. */
export const controlPlaneFinalizer = "nestedcontrolplane.controlplane.cluster.x-k8s.io";
