import type { Deployment } from "@rookery/api";
import { compileSelector } from "@rookery/kube";
import type { BuiltInKind } from "../declaration/kind.ts";
import { ageColumn, column, nameColumn, wide } from "../meta/columns.ts";
import { isSameValue } from "../meta/field-rules.ts";
import { keepSpec } from "../meta/keep-spec.ts";
import { kindNames } from "../meta/kind-names.ts";
import { dropDisabledFields, podTemplateDefaults } from "../pod-spec/index.ts";
import {
  validateDeployment,
  validateDeploymentStatus,
  validateDeploymentUpdate,
} from "./deployment-rules.ts";
import { normalizeRollback } from "./rollback.ts";
import { scaleRules } from "./scale-rules.ts";
import { podNameWarnings, templateWarnings } from "./template-warnings.ts";
import { containerColumns } from "./workload-columns.ts";
import { dropNullSelector } from "./workload-rules.ts";

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
