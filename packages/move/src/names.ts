/** Labels and annotations by which clusterctl and Cluster API speak of a move. */
export const moveNames = {
  /** On the CRDs of providers. */
  provider: "clusterctl.cluster.x-k8s.io",
  /** On a CRD, or on one object: moved whoever owns it. */
  move: "clusterctl.cluster.x-k8s.io/move",
  /** On a CRD, or on one object: moved with all that it owns. */
  moveHierarchy: "clusterctl.cluster.x-k8s.io/move-hierarchy",
  /** On an object that is not ready to be moved yet. */
  blockMove: "clusterctl.cluster.x-k8s.io/block-move",
  /** On an object that is deleted because it was moved: a webhook may go by it. */
  deleteForMove: "clusterctl.cluster.x-k8s.io/delete-for-move",
  paused: "cluster.x-k8s.io/paused",
} as const;

/** The groups of the kinds that a move knows by name. */
export const clusterGroup = "cluster.x-k8s.io";
export const addonsGroup = "addons.cluster.x-k8s.io";

/** Who writes, in managedFields. */
export const fieldManager = "rookery-move";
