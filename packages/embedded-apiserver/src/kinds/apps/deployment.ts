import type {
  Deployment,
  DeploymentSpec,
  DeploymentStatus,
  DeploymentStrategy,
  RollingUpdateDeployment,
} from "@rookery/api";
import { compileSelector } from "@rookery/kube";
import { type BuiltInKind, keepSpec, kindNames } from "../declaration/kind.ts";
import { immutable, invalidIf, nonNegative } from "../meta/checks.ts";
import { ageColumn, column, nameColumn, wide } from "../meta/columns.ts";
import { optional, struct } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";
import { isSameValue } from "../meta/field-rules.ts";
import { intOrPercent, notMoreThanAll } from "../meta/int-or-percent.ts";
import { goStruct } from "../meta/internal-form.ts";
import { type Rule, type Rules, ruleOf, validator } from "../meta/rules.ts";
import { podTemplateDefaults } from "../pod-spec/defaults.ts";
import { dropDisabledFields } from "../pod-spec/disabled-fields.ts";
import { replicatedTemplate } from "./replica-set.ts";
import { numberAnnotation } from "./revision-annotation.ts";
import {
  amountOf,
  atMostField,
  collisionCount,
  containerColumns,
  counts,
  dropNullSelector,
  podNameWarnings,
  scaleRules,
  selectorOf,
  templateWarnings,
} from "./workload-rules.ts";

/** By this annotation older versions asked for a rollback to a revision. */
const annotation = "deprecated.deployment.rollback.to";

function rollbackOf({ metadata }: Deployment): number | undefined {
  const text = metadata?.annotations?.[annotation];
  const prefix = `failed to parse annotation[${annotation}]=${text} as int64: `;
  return numberAnnotation(metadata, annotation, { emptyIsNone: true, prefix });
}

/** Writes the revision as kube-apiserver does, which keeps it as a number. Throws a DecodeError. */
function normalizeRollback(deployment: Deployment): void {
  const revision = rollbackOf(deployment);
  const annotations = deployment.metadata?.annotations;
  if (annotations === undefined) return;
  if (revision === undefined) delete annotations[annotation];
  else annotations[annotation] = String(revision);
}

const rollback: Rule<Deployment> = (deployment, field) => {
  nonNegative(rollbackOf(deployment), field.child("spec", "rollback", "version"));
};

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

const deployment: Rules<Deployment> = [
  { spec: struct(spec) },
  rollback,
  { spec: struct(deadline) },
];

const validateDeployment = validator(deployment);
const validateDeploymentUpdate = validator<Deployment>([
  deployment,
  { spec: struct({ selector: immutable }) },
]);

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
  atMostField("updatedReplicas", "replicas", "status.replicas"),
  atMostField("readyReplicas", "replicas", "status.replicas"),
  atMostField("availableReplicas", "replicas", "status.replicas"),
  atMostField("availableReplicas", "readyReplicas", "readyReplicas"),
  { collisionCount },
];

const validateDeploymentStatus = validator<Deployment>({ status: struct(status) });

export const deploymentKind: BuiltInKind<Deployment> = {
  ...kindNames("apps", "Deployment", "deployments"),
  namespaced: true,
  shortNames: ["deploy"],
  categories: ["all"],
  defaults: setDefaults,
  prepareForCreate(deployment) {
    deployment.status = {};
    dropDisabledFields(deployment.spec?.template?.spec ?? {});
  },
  prepareForUpdate: ({ spec }) => dropDisabledFields(spec?.template?.spec ?? {}),
  validate: validateDeployment,
  validateUpdate: validateDeploymentUpdate,
  warnings: (deployment, old) => [
    ...(old ? [] : podNameWarnings(deployment)),
    ...(old && !isChanged(deployment, old) ? [] : templateWarnings(deployment)),
  ],
  status: {
    prepareForUpdate(deployment, old) {
      keepSpec(deployment, old);
      keepLabels(deployment, old);
      // Its feature gate is off.
      delete deployment.status?.terminatingReplicas;
    },
    validateUpdate: validateDeploymentStatus,
  },
  scale: scaleRules<Deployment>(),
  isNewGeneration: isChanged,
  columns: [
    nameColumn,
    column("Ready", "string", ({ spec, status }: Deployment) => {
      return `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`;
    }),
    column("Up-to-date", "string", ({ status }: Deployment) => status?.updatedReplicas ?? 0),
    column("Available", "string", ({ status }: Deployment) => status?.availableReplicas ?? 0),
    ageColumn,
    ...containerColumns(({ spec }: Deployment) => spec?.template),
    wide(
      column("Selector", "string", ({ spec }: Deployment) => {
        return compileSelector(spec?.selector)?.toString() ?? "<invalid>";
      }),
    ),
  ],
};

function setDefaults(deployment: Deployment): void {
  normalizeRollback(deployment);
  deployment.spec ??= {};
  const { spec } = deployment;
  dropNullSelector(spec);
  spec.replicas ??= 1;
  spec.strategy ??= {};
  spec.strategy.type ||= "RollingUpdate";
  if (spec.strategy.type === "RollingUpdate") {
    spec.strategy.rollingUpdate ??= {};
    spec.strategy.rollingUpdate.maxUnavailable ??= "25%";
    spec.strategy.rollingUpdate.maxSurge ??= "25%";
  }
  spec.revisionHistoryLimit ??= 10;
  spec.progressDeadlineSeconds ??= 600;
  spec.template ??= {};
  podTemplateDefaults(spec.template);
}

/** Annotations are copied to the ReplicaSets, so that a change of them is one of what is wanted. */
function isChanged({ spec, metadata }: Deployment, old: Deployment): boolean {
  const hasSameAnnotations = isSameValue(metadata?.annotations, old.metadata?.annotations);
  return !isSameValue(spec, old.spec) || !hasSameAnnotations;
}

function keepLabels({ metadata = {} }: Deployment, old: Deployment): void {
  if (old.metadata?.labels) metadata.labels = old.metadata.labels;
  else delete metadata.labels;
}
