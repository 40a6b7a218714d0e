import type {
  Deployment,
  DeploymentSpec,
  DeploymentStatus,
  DeploymentStrategy,
  RollingUpdateDeployment,
} from "@rookery/api";
import { immutable, invalidIf, nonNegative } from "../meta/checks.ts";
import { optional, struct } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";
import { intOrPercent, notMoreThanAll } from "../meta/int-or-percent.ts";
import { type Rules, ruleOf, validator } from "../meta/rules.ts";
import { goStruct } from "../pod-spec/internal-form.ts";
import { replicatedTemplate } from "./replica-set-rules.ts";
import { rollback } from "./rollback.ts";
import { amountOf, atMostField, collisionCount, counts, selectorOf } from "./workload-rules.ts";

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

export const validateDeployment = validator(deployment);
export const validateDeploymentUpdate = validator<Deployment>([
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

export const validateDeploymentStatus = validator<Deployment>({ status: struct(status) });
