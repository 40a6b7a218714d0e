/**
 * The provider operator: installs, changes, upgrades and deletes providers of Cluster API by reconciling
 * objects that declare them.
 *
 * `provider/reconcile.ts` is the table of contents. The recorded state of a provider is an `InstallState`,
 * in a Secret that the provider owns; a reconcile after a crash continues from it.
 */
export { type ConditionType, conditionTypes, type Reason, reasons } from "./conditions/reasons.ts";
export type { InUse } from "./deletion/users.ts";
export { previewDeletion } from "./deletion/users.ts";
export { PhaseError } from "./errors.ts";
export { type InstallOptions, operatorName, operatorVersion } from "./install/installation.ts";
export {
  type RbacFile,
  type RbacOptions,
  renderOperator,
  renderOperatorRbac,
} from "./install/render.ts";
export { readShards, type ShardOptions } from "./instances/shards/read-shards.ts";
export type {
  Shard,
  ShardClaim,
  ShardGap,
  ShardHandOver,
  ShardLoad,
  ShardOverlap,
  ShardReport,
} from "./instances/shards/shard-report.ts";
export type { LeaveReason, Migration } from "./migration/plan.ts";
export { previewMigration } from "./migration/preview.ts";
export { previewRefusals } from "./preflight/preview.ts";
export { runOperator } from "./run-operator.ts";
export { type OperatorOptions, type OperatorParts, setupOperator } from "./setup.ts";
