/** The groups of Cluster API itself and of the contracts that providers fulfil. */
export const clusterApiGroup = "cluster.x-k8s.io";
export const addonsGroup = "addons.cluster.x-k8s.io";
export const bootstrapGroup = "bootstrap.cluster.x-k8s.io";
export const controlPlaneGroup = "controlplane.cluster.x-k8s.io";
export const infrastructureGroup = "infrastructure.cluster.x-k8s.io";
/** The group of clusterctl's inventory and of the metadata of releases. */
export const clusterctlGroup = "clusterctl.cluster.x-k8s.io";

/** The kinds that own what providers make. */
export const clusterKind = { group: clusterApiGroup, kind: "Cluster" } as const;
export const machineKind = { group: clusterApiGroup, kind: "Machine" } as const;

/** Label: the name of the Cluster that an object belongs to. */
export const clusterNameLabel = "cluster.x-k8s.io/cluster-name";
/** Label: the object belongs to a control plane. */
export const controlPlaneLabel = "cluster.x-k8s.io/control-plane";
/** Label: the provider that a component belongs to, such as "infrastructure-vsphere". */
export const providerLabel = "cluster.x-k8s.io/provider";
/** Label on a ClusterRole: Cluster API's own manager gets its rules. */
export const aggregateToManagerLabel = "cluster.x-k8s.io/aggregate-to-manager";
/** Label on the CRDs and components that clusterctl installed. */
export const clusterctlLabel = "clusterctl.cluster.x-k8s.io";
/** Label on the CRD of clusterctl's own inventory. */
export const clusterctlCoreLabel = "clusterctl.cluster.x-k8s.io/core";

/** Label on a CRD or an object: it is moved, whoever owns it. */
export const moveLabel = "clusterctl.cluster.x-k8s.io/move";
/** Label on a CRD or an object: it is moved together with everything that it owns. */
export const moveHierarchyLabel = "clusterctl.cluster.x-k8s.io/move-hierarchy";
/** Annotation: the object cannot be moved yet. */
export const blockMoveAnnotation = "clusterctl.cluster.x-k8s.io/block-move";
/**
 * Annotation: the object is deleted here because it was moved, and exists in another management cluster. What it
 * stands for must stay. Providers that own something outside of the management cluster treat the
 * object as paused (`isPaused`), although its Cluster, which was paused for the move, may be gone. The core
 * provider owns nothing outside: it ignores the annotation, as upstream does (`pausedStatement`).
 */
export const deleteForMoveAnnotation = "clusterctl.cluster.x-k8s.io/delete-for-move";
/** Annotation: nothing is done for the object. */
export const pausedAnnotation = "cluster.x-k8s.io/paused";
/** Annotation: the topology controller only asks what a write would change. */
export const topologyDryRunAnnotation = "topology.cluster.x-k8s.io/dry-run";

/** The type of the Secrets with certificates and kubeconfigs of a Cluster. */
export const clusterSecretType = "cluster.x-k8s.io/secret";
