import type {
  PodTemplateSpec,
  StatefulSet,
  StatefulSetSpec,
  StatefulSetStatus,
  StatefulSetUpdateStrategy,
} from "@rookery/api";
import { compileSelector } from "@rookery/kube";
import { annotations, dns1123Label, labels, matches, nonNegative, oneOf } from "../meta/checks.ts";
import { each, struct, unlessEmpty } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";
import { isSameValue } from "../meta/field-rules.ts";
import { goStruct } from "../meta/internal-form.ts";
import { type Rules, validator } from "../meta/rules.ts";
import { claimSpec } from "../pod-spec/claim-spec.ts";
import { podAnnotations } from "../pod-spec/pod-annotations.ts";
import { podTemplate } from "../pod-spec/validate-spec.ts";
import {
  collisionCount,
  counts,
  lastingPods,
  replicaCounts,
  selectedTemplate,
  selectorOf,
} from "./workload.ts";

const retention = oneOf("Retain", "Delete");

function updateStrategy(own: StatefulSetUpdateStrategy, field: Field): void {
  const { type, rollingUpdate } = own;
  const at = field.child("rollingUpdate");
  if (type === "RollingUpdate") nonNegative(rollingUpdate?.partition, at.child("partition"));
  else if (type !== "OnDelete") {
    const detail = "must be 'RollingUpdate' or 'OnDelete'";
    field.invalid(goStruct("StatefulSetUpdateStrategy", own), detail);
  } else if (rollingUpdate !== undefined) {
    const shown = goStruct("RollingUpdateStatefulSetStrategy", rollingUpdate);
    at.invalid(shown, "only allowed for updateStrategy 'RollingUpdate'");
  }
}

/** kube-apiserver validates labels and annotations twice. */
function template(spec: StatefulSetSpec, field: Field): void {
  if (compileSelector(spec.selector) === undefined) {
    field.child("selector").invalid(spec.selector, "");
    return;
  }
  const at = field.child("template");
  const own = templateOfPods(spec);
  const { metadata = {} } = own;
  selectedTemplate({ ...spec, template: own }, field);
  podTemplate(own, at);
  labels(metadata.labels, at.child("labels"));
  annotations(metadata.annotations, at.child("annotations"));
  podAnnotations(metadata.annotations ?? {}, own.spec ?? {}, at.child("annotations"));
}

/** The template as the controller fills it in: without hostnames, with the volumes of claims. */
function templateOfPods({
  template = {},
  volumeClaimTemplates = [],
}: StatefulSetSpec): PodTemplateSpec {
  const { hostname: _hostname, subdomain: _subdomain, volumes = [], ...spec } = template.spec ?? {};
  const names = new Set(volumeClaimTemplates.map(({ metadata }) => metadata?.name ?? ""));
  const claimed = [...names].map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
  const others = volumes.filter(({ name = "" }) => !names.has(name));
  return { ...template, spec: { ...spec, volumes: [...claimed, ...others] } };
}

const policies: Rules<StatefulSetSpec> = {
  podManagementPolicy: matches(
    (policy) => policy === "OrderedReady" || policy === "Parallel",
    "must be 'OrderedReady' or 'Parallel'",
  ),
  updateStrategy: struct(updateStrategy),
  persistentVolumeClaimRetentionPolicy: struct({ whenDeleted: retention, whenScaled: retention }),
};

const numbers: Rules<StatefulSetSpec> = [
  { replicas: nonNegative, minReadySeconds: nonNegative },
  ({ ordinals }, field) => nonNegative(ordinals?.start, field.child("ordinals.start")),
];

const pods: Rules<StatefulSetSpec> = [
  { selector: selectorOf("statefulset") },
  template,
  { template: lastingPods("StatefulSet") },
];

/** Updates may not change claims and the service, and do not validate them. */
const newSpec: Rules<StatefulSetSpec> = [
  policies,
  { volumeClaimTemplates: each({ spec: struct(claimSpec) }) },
  numbers,
  { serviceName: unlessEmpty(dns1123Label) },
  pods,
];

const changeable: ReadonlySet<string> = new Set<keyof StatefulSetSpec>([
  "replicas",
  "template",
  "updateStrategy",
  "minReadySeconds",
  "ordinals",
  "revisionHistoryLimit",
  "persistentVolumeClaimRetentionPolicy",
]);

function fixedFields(spec: StatefulSetSpec, field: Field): void {
  const fixedOf = (each: object) =>
    Object.fromEntries(Object.entries(each).filter(([key]) => !changeable.has(key)));
  if (isSameValue(fixedOf(spec), fixedOf(Object(field.old)))) return;
  field.forbidden(
    "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
  );
}

export const validateStatefulSet = validator<StatefulSet>({ spec: struct(newSpec) });
export const validateStatefulSetUpdate = validator<StatefulSet>({
  spec: struct<StatefulSetSpec>([policies, numbers, pods, fixedFields]),
});

const status: Rules<StatefulSetStatus> = [
  counts<StatefulSetStatus>(
    "replicas",
    "readyReplicas",
    "currentReplicas",
    "updatedReplicas",
    "availableReplicas",
    "observedGeneration",
    "collisionCount",
  ),
  replicaCounts(
    ["readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"],
    "status.readyReplicas",
  ),
  { collisionCount },
];

export const validateStatefulSetStatus = validator<StatefulSet>({ status: struct(status) });
