import type {
  Deployment,
  DeploymentSpec,
  DeploymentStatus,
  DeploymentStrategy,
  RollingUpdateDeployment,
} from "@rookery/api";
import { compileSelector } from "@rookery/kube";
import { type BuiltInKind, isSpecChanged, keepSpec } from "../declaration/kind.ts";
import { immutable, invalidIf, nonNegative } from "../meta/checks.ts";
import { ageColumn, columns, nameColumn, wideColumns } from "../meta/columns.ts";
import { optional, struct } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";
import { isSameValue } from "../meta/field-rules.ts";
import { intOrPercent, notMoreThanAll } from "../meta/int-or-percent.ts";
import { goStruct } from "../meta/internal-form.ts";
import { type Rules, ruleOf, validator, warner } from "../meta/rules.ts";
import { podNameWarning } from "../pod-spec/warnings.ts";
import { replicatedTemplate } from "./replica-set.ts";
import { numberAnnotation } from "./revision-annotation.ts";
import {
  amountOf,
  collisionCount,
  containerColumns,
  counts,
  dropDisabledTemplateFields,
  ifChanged,
  replicaCounts,
  rollingUpdateDefaults,
  scaleRules,
  selectorOf,
  templateWarnings,
  workload,
  workloadDefaults,
} from "./workload.ts";

/** Go: ValidateRollingUpdateDeployment. */
const rollingUpdate = ruleOf<RollingUpdateDeployment>([
  { maxUnavailable: intOrPercent, maxSurge: intOrPercent },
  ({ maxUnavailable = 0, maxSurge = 0 }, field) => {
    if (amountOf(maxUnavailable) !== 0 || amountOf(maxSurge) !== 0) return;
    field.child("maxUnavailable").invalid(maxUnavailable, "may not be 0 when `maxSurge` is 0");
  },
  { maxUnavailable: notMoreThanAll },
]);

/** Go: ValidateDeploymentStrategy. */
function strategy(own: DeploymentStrategy, field: Field): void {
  const at = field.child("rollingUpdate");
  if (own.type === "RollingUpdate") rollingUpdate(own.rollingUpdate ?? {}, at);
  else if (own.type !== "Recreate") {
    field.notSupported(goStruct("DeploymentStrategy", own), ["Recreate", "RollingUpdate"]);
  } else if (own.rollingUpdate !== undefined) {
    at.forbidden("may not be specified when strategy `type` is 'Recreate'");
  }
}

const spec: Rules<DeploymentSpec> = [
  { replicas: nonNegative, selector: selectorOf("deployment") },
  replicatedTemplate,
  {
    strategy: struct(strategy),
    minReadySeconds: nonNegative,
    revisionHistoryLimit: nonNegative,
  },
];

const deadline: Rules<DeploymentSpec> = [
  { progressDeadlineSeconds: optional(nonNegative) },
  invalidIf(
    "progressDeadlineSeconds",
    ({ progressDeadlineSeconds: deadline, minReadySeconds = 0 }) =>
      deadline !== undefined && deadline <= minReadySeconds,
    "must be greater than minReadySeconds",
  ),
];

/** The annotation by which older versions requested a rollback to a revision. */
const rollbackAnnotation = "deprecated.deployment.rollback.to";

function rollbackOf({ metadata }: Deployment): number | undefined {
  const text = metadata?.annotations?.[rollbackAnnotation];
  const prefix = `failed to parse annotation[${rollbackAnnotation}]=${text} as int64: `;
  return numberAnnotation(metadata, rollbackAnnotation, { emptyIsNone: true, prefix });
}

/** Formats the revision like kube-apiserver, which stores it as a number. Throws a DecodeError. */
function normalizeRollback(deployment: Deployment): void {
  const revision = rollbackOf(deployment);
  const annotations = deployment.metadata?.annotations;
  if (annotations === undefined) return;
  if (revision === undefined) delete annotations[rollbackAnnotation];
  else annotations[rollbackAnnotation] = String(revision);
}

const deployment: Rules<Deployment> = [
  { spec: struct(spec) },
  (own, field) => nonNegative(rollbackOf(own), field.child("spec", "rollback", "version")),
  { spec: struct(deadline) },
];

const status: Rules<DeploymentStatus> = [
  counts<DeploymentStatus>(
    "observedGeneration",
    "replicas",
    "updatedReplicas",
    "readyReplicas",
    "availableReplicas",
    "unavailableReplicas",
    "collisionCount",
  ),
  replicaCounts(["updatedReplicas", "readyReplicas", "availableReplicas"]),
  { collisionCount },
];

export const deploymentKind: BuiltInKind<Deployment> = {
  ...workload("Deployment", "deployments", "deploy"),
  defaults(object) {
    normalizeRollback(object);
    const spec = workloadDefaults<DeploymentSpec>(object);
    spec.replicas ??= 1;
    spec.strategy ??= {};
    rollingUpdateDefaults(spec.strategy, { maxUnavailable: "25%", maxSurge: "25%" });
    spec.revisionHistoryLimit ??= 10;
    spec.progressDeadlineSeconds ??= 600;
  },
  prepareForCreate(object) {
    object.status = {};
    dropDisabledTemplateFields(object);
  },
  prepareForUpdate: dropDisabledTemplateFields,
  validate: validator(deployment),
  validateUpdate: validator<Deployment>([deployment, { spec: struct({ selector: immutable }) }]),
  warnings: warner<Deployment>([podNameWarning, ifChanged(isChanged, templateWarnings)]),
  status: {
    prepareForUpdate(object, old) {
      keepSpec(object, old);
      keepLabels(object, old);
      // The feature gate of the field is off.
      delete object.status?.terminatingReplicas;
    },
    validateUpdate: validator<Deployment>({ status: struct(status) }),
  },
  scale: scaleRules<Deployment>(),
  isNewGeneration: isChanged,
  columns: [
    nameColumn,
    ...columns<Deployment>({
      Ready: ({ spec, status }) => `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`,
      "Up-to-date": ({ status }) => status?.updatedReplicas ?? 0,
      Available: ({ status }) => status?.availableReplicas ?? 0,
    }),
    ageColumn,
    ...containerColumns(({ spec }: Deployment) => spec?.template),
    ...wideColumns<Deployment>({
      Selector: ({ spec }) => compileSelector(spec?.selector)?.toString() ?? "<invalid>",
    }),
  ],
};

/** Annotations count because the controller copies them to the ReplicaSets. */
function isChanged(object: Deployment, old: Deployment): boolean {
  const hasSameAnnotations = isSameValue(object.metadata?.annotations, old.metadata?.annotations);
  return isSpecChanged(object, old) || !hasSameAnnotations;
}

function keepLabels({ metadata = {} }: Deployment, old: Deployment): void {
  if (old.metadata?.labels) metadata.labels = old.metadata.labels;
  else delete metadata.labels;
}
