/**
 * The provider operator: providers of Cluster API declared as objects, installed, changed, upgraded
 * and deleted by reconciling them.
 *
 * `provider/reconcile.ts` is the table of contents. All that has to be remembered of a provider is an
 * `InstallState`, in Secrets that the provider owns: whoever goes on after a crash begins there.
 */
export { type ConditionType, conditionTypes, type Reason, reasons } from "./conditions/reasons.ts";
export type { InUse } from "./deletion/in-use.ts";
export { previewDeletion } from "./deletion/preview.ts";
export { PhaseError } from "./errors.ts";
export { type InstallOptions, operatorName, operatorVersion } from "./install/installation.ts";
export { renderOperator } from "./install/render-operator.ts";
export { type RbacFile, type RbacOptions, renderOperatorRbac } from "./install/render-rbac.ts";
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
