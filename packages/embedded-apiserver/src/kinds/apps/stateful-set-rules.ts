import type {
  PodTemplateSpec,
  StatefulSet,
  StatefulSetSpec,
  StatefulSetUpdateStrategy,
} from "@rookery/api";
import {
  compileSelector,
  FieldError,
  type FieldPath,
  fieldPath,
  validateDns1123Label,
  validateLabels,
} from "@rookery/kube";
import {
  invalidEach,
  validateAnnotations,
  validateNonnegative,
  validateSupported,
} from "../meta/field-rules.ts";
import { GoStruct } from "../meta/go-struct.ts";
import { validateClaimSpec } from "../pod-spec/claim-spec.ts";
import { validatePodTemplate } from "../pod-spec/index.ts";
import { validatePodAnnotations } from "../pod-spec/pod-annotations.ts";
import {
  validateAtMost,
  validateCollisionCount,
  validateCounts,
  validateLastingPods,
  validateMatchingLabels,
  validateRequiredSelector,
} from "./workload-rules.ts";

/** A change may not change its claims nor its service, which are then not looked at. */
export function validateStatefulSetSpec(spec: StatefulSetSpec, old?: StatefulSetSpec) {
  const path = fieldPath("spec");
  const { serviceName = "", volumeClaimTemplates = [] } = spec;
  const claimsPath = path.child("volumeClaimTemplates");
  const isNew = old === undefined;
  return [
    ...validatePolicies(spec, path),
    ...(isNew
      ? volumeClaimTemplates.flatMap((claim, i) =>
          validateClaimSpec(claim.spec ?? {}, claimsPath.index(i).child("spec")),
        )
      : []),
    ...validateNonnegative(spec.replicas ?? 0, path.child("replicas")),
    ...validateNonnegative(spec.minReadySeconds ?? 0, path.child("minReadySeconds")),
    ...validateNonnegative(spec.ordinals?.start ?? 0, path.child("ordinals.start")),
    ...(isNew && serviceName !== ""
      ? invalidEach(serviceName, validateDns1123Label(serviceName), path.child("serviceName"))
      : []),
    ...validateRequiredSelector(spec.selector, path.child("selector"), "statefulset"),
    ...validateTemplate(spec, path),
    ...validateLastingPods(spec.template ?? {}, path.child("template"), "StatefulSet"),
  ];
}

function validatePolicies(spec: StatefulSetSpec, path: FieldPath): FieldError[] {
  const { podManagementPolicy = "", persistentVolumeClaimRetentionPolicy: retention = {} } = spec;
  const isKnown = ["OrderedReady", "Parallel"].includes(podManagementPolicy);
  const policyPath = path.child("podManagementPolicy");
  const retentionPath = path.child("persistentVolumeClaimRetentionPolicy");
  const detail = "must be 'OrderedReady' or 'Parallel'";
  const choices = ["Retain", "Delete"];
  return [
    ...(isKnown ? [] : [FieldError.invalid(policyPath, podManagementPolicy, detail)]),
    ...validateStrategy(spec.updateStrategy ?? {}, path.child("updateStrategy")),
    ...(["whenDeleted", "whenScaled"] as const).flatMap((field) =>
      validateSupported(retention[field] ?? "", choices, retentionPath.child(field)),
    ),
  ];
}

function validateStrategy(strategy: StatefulSetUpdateStrategy, path: FieldPath): FieldError[] {
  const { type = "", rollingUpdate } = strategy;
  const at = path.child("rollingUpdate");
  const shownUpdate = rollingUpdate && {
    Partition: rollingUpdate.partition ?? 0,
    MaxUnavailable: null,
  };
  if (type === "RollingUpdate") {
    return validateNonnegative(rollingUpdate?.partition ?? 0, at.child("partition"));
  }
  if (type === "OnDelete") {
    const detail = "only allowed for updateStrategy 'RollingUpdate'";
    return shownUpdate ? [FieldError.invalid(at, new GoStruct(shownUpdate), detail)] : [];
  }
  const shown = new GoStruct({ Type: type, RollingUpdate: shownUpdate ?? null });
  return [FieldError.invalid(path, shown, "must be 'RollingUpdate' or 'OnDelete'")];
}

/** Annotations and labels are looked at twice, as kube-apiserver does. */
function validateTemplate(spec: StatefulSetSpec, path: FieldPath): FieldError[] {
  if (compileSelector(spec.selector) === undefined) {
    return [FieldError.invalid(path.child("selector"), spec.selector, "")];
  }
  const at = path.child("template");
  const template = templateOfPods(spec);
  const { labels = {}, annotations = {} } = template.metadata ?? {};
  return [
    ...validateMatchingLabels({ ...spec, template }, at),
    ...validatePodTemplate(template, at),
    ...validateLabels(labels, at.child("labels")),
    ...validateAnnotations(annotations, at.child("annotations")),
    ...validatePodAnnotations(annotations, template.spec ?? {}, at.child("annotations")),
  ];
}

/** The template with what the controller puts into pods: their hostname and the volumes of claims. */
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

export function validateStatefulSetStatus({ status = {} }: StatefulSet, old: StatefulSet) {
  const replicas = { limit: "replicas", named: "status.replicas" } as const;
  const ready = { limit: "readyReplicas", named: "status.readyReplicas" } as const;
  return [
    ...validateCounts(status, [
      "replicas",
      "readyReplicas",
      "currentReplicas",
      "updatedReplicas",
      "availableReplicas",
      "observedGeneration",
      "collisionCount",
    ]),
    ...validateAtMost(status, "readyReplicas", replicas),
    ...validateAtMost(status, "currentReplicas", replicas),
    ...validateAtMost(status, "updatedReplicas", replicas),
    ...validateAtMost(status, "availableReplicas", replicas),
    ...validateAtMost(status, "availableReplicas", ready),
    ...validateCollisionCount(status, old.status ?? {}),
  ];
}
