import type {
  LabelSelector,
  PodTemplateSpec,
  ReplicaSet,
  ReplicaSetSpec,
  ReplicaSetStatus,
} from "@rookery/api";
import { compileSelector } from "@rookery/kube";
import { immutable, nonNegative } from "../meta/checks.ts";
import { struct } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";
import { type Rules, ruleOf, validator } from "../meta/rules.ts";
import { podTemplate } from "../pod-spec/index.ts";
import {
  atMostField,
  counts,
  lastingPods,
  selectedTemplate,
  selectorOf,
} from "./workload-rules.ts";

interface Replicated {
  readonly selector?: LabelSelector;
  readonly template?: PodTemplateSpec;
}

const template = ruleOf<Replicated>([
  selectedTemplate,
  { template: [struct(podTemplate), lastingPods("ReplicaSet")] },
]);

/** Go: ValidatePodTemplateSpecForReplicaSet. Deployments have the same template. */
export function replicatedTemplate(spec: Replicated, field: Field): void {
  if (compileSelector(spec.selector) !== undefined) template(spec, field);
  else field.child("selector").invalid(spec.selector, "invalid label selector");
}

const spec: Rules<ReplicaSetSpec> = [
  // Kubernetes calls the kind a deployment here too.
  { replicas: nonNegative, minReadySeconds: nonNegative, selector: selectorOf("deployment") },
  replicatedTemplate,
];

export const validateReplicaSet = validator<ReplicaSet>({ spec: struct(spec) });
export const validateReplicaSetUpdate = validator<ReplicaSet>([
  { spec: struct(spec) },
  { spec: struct({ selector: immutable }) },
]);

const status: Rules<ReplicaSetStatus> = [
  counts<ReplicaSetStatus>(
    "replicas",
    "fullyLabeledReplicas",
    "readyReplicas",
    "availableReplicas",
    "observedGeneration",
  ),
  atMostField("fullyLabeledReplicas", "replicas", "status.replicas"),
  atMostField("readyReplicas", "replicas", "status.replicas"),
  atMostField("availableReplicas", "replicas", "status.replicas"),
  atMostField("availableReplicas", "readyReplicas", "readyReplicas"),
];

export const validateReplicaSetStatus = validator<ReplicaSet>({ status: struct(status) });
