/**
 * What every Cluster API provider shares: the Cluster or Machine that owns an object, both contracts, pause, and the
 * names of groups, labels and annotations. It performs no I/O.
 */
export { type ClusterctlRecord, clusterctlProviders } from "./clusterctl-inventory.ts";
export {
  endpointOf,
  failureDomainsOf,
  fieldOf,
  isDone,
  numberField,
  textField,
} from "./contract-fields.ts";
export { type Contract, contractVersionOf } from "./contract-version.ts";
export {
  addonsGroup,
  aggregateToManagerLabel,
  blockMoveAnnotation,
  bootstrapGroup,
  clusterApiGroup,
  clusterctlCoreLabel,
  clusterctlGroup,
  clusterctlLabel,
  clusterKind,
  clusterNameLabel,
  clusterSecretType,
  controlPlaneGroup,
  controlPlaneLabel,
  deleteForMoveAnnotation,
  infrastructureGroup,
  machineKind,
  moveHierarchyLabel,
  moveLabel,
  pausedAnnotation,
  providerLabel,
} from "./names.ts";
export {
  clusterApiOwner,
  isInfrastructureProvisioned,
  isOwnedAndNamedBy,
  type OwnerCluster,
  type OwnerMachine,
  readOwner,
} from "./owners.ts";
export { isPaused, notPaused, pausedStatement, whenPaused, withReadiness } from "./paused.ts";
export { type ContractReference, referredKeys, refersTo } from "./references.ts";
export { releaseMetadata } from "./release-metadata.ts";
export { isTopologyDryRun } from "./topology.ts";
