import type { Container, NodeAffinity, NodeSelectorTerm, Pod, PodSpec } from "@rookery/api";
import { deepCopy } from "@rookery/kube";
import { inRange } from "../meta/checks.ts";
import { each, required } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";
import { isSameValue } from "../meta/field-rules.ts";
import { goStruct } from "../meta/internal-form.ts";
import { type Rule, ruleOf, validator } from "../meta/rules.ts";
import { imageWithoutSpaces } from "../pod-spec/containers.ts";
import { appArmorPrefix, mirrorAnnotation, podAnnotations } from "../pod-spec/pod-annotations.ts";
import { onlyAddedTolerations } from "../pod-spec/scheduling.ts";
import { podContent } from "./pod-rules.ts";
import { goDiff } from "./unified-diff.ts";

const requiredTerms = "requiredDuringSchedulingIgnoredDuringExecution";

/**
 * The placement of a gated pod can be narrowed down. Reports other changes of the placement, and returns
 * the spec with the old placement.
 */
function withOldPlacement(spec: PodSpec, old: PodSpec, field: Field): PodSpec {
  if ((old.schedulingGates ?? []).length === 0) return spec;
  const { nodeSelector = {}, affinity, ...rest } = spec;
  const { nodeAffinity, ...others } = affinity ?? {};
  const { nodeAffinity: oldNodeAffinity, ...oldOthers } = old.affinity ?? {};
  const isKept = Object.entries(old.nodeSelector ?? {}).every(
    ([key, value]) => nodeSelector[key] === value,
  );
  const additions = "only additions to spec.nodeSelector are allowed (no mutations or deletions)";
  if (!isKept) field.child("nodeSelector").invalid(nodeSelector, additions);
  nodeAffinityChange(nodeAffinity, oldNodeAffinity, field.child("affinity", "nodeAffinity"));
  const kept = { ...others, ...(oldNodeAffinity && { nodeAffinity: oldNodeAffinity }) };
  const isOld = old.affinity !== undefined && isSameValue(others, oldOthers);
  const placement = isOld ? old.affinity : kept;
  return {
    ...rest,
    ...(old.nodeSelector && { nodeSelector: old.nodeSelector }),
    ...(placement && Object.keys(placement).length > 0 && { affinity: placement }),
  };
}

function nodeAffinityChange(
  affinity: NodeAffinity | undefined,
  old: NodeAffinity | undefined,
  field: Field,
): void {
  const at = field.child(requiredTerms, "nodeSelectorTerms");
  const oldTerms = old?.[requiredTerms]?.nodeSelectorTerms ?? [];
  const terms = affinity?.[requiredTerms]?.nodeSelectorTerms ?? [];
  if (oldTerms.length === 0) return;
  if (oldTerms.length !== terms.length) {
    const detail = "no additions/deletions to non-empty NodeSelectorTerms list are allowed";
    at.invalid(
      terms.map((term) => goStruct("NodeSelectorTerm", term)),
      detail,
    );
    return;
  }
  terms.forEach((term, i) => {
    if (hasOnlyAdditions(term, oldTerms[i] ?? {})) return;
    const detail = "only additions are allowed (no mutations or deletions)";
    at.index(i).invalid(goStruct("NodeSelectorTerm", term), detail);
  });
}

function hasOnlyAdditions(term: NodeSelectorTerm, old: NodeSelectorTerm): boolean {
  const isNew = Object.values(old).every((list) => (list ?? []).length === 0);
  const isSet = Object.values(term).some((list) => (list ?? []).length > 0);
  if (isNew && isSet) return false;
  return (["matchExpressions", "matchFields"] as const).every((field) => {
    const before = old[field] ?? [];
    return isSameValue((term[field] ?? []).slice(0, before.length), before);
  });
}

const deadlineRange = inRange(0, 2 ** 31 - 1);
const images = each<Container>({ image: [required(), imageWithoutSpaces] });
const updatable = [
  "`spec.containers[*].image`",
  "`spec.initContainers[*].image`",
  "`spec.activeDeadlineSeconds`",
  "`spec.tolerations` (only additions to existing tolerations)",
  "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)",
].join(",");

const content = ruleOf<Pod>(podContent);

/** Go: ValidatePodUpdate, without the metadata. Some errors end the validation. */
const podUpdate: Rule<Pod> = (pod, field) => {
  const [spec, before] = [pod.spec ?? {}, (field.old as Pod).spec ?? {}];
  const at = field.child("spec");
  content(pod, field);
  annotationChange(pod, field);
  for (const list of ["containers", "initContainers"] as const) {
    if ((spec[list] ?? []).length !== (before[list] ?? []).length) {
      return at.child(list).forbidden("pod updates may not add or remove containers");
    }
    images(spec[list], at.child(list));
  }
  const count = field.errorCount;
  deadlineChange(spec, before, at.child("activeDeadlineSeconds"));
  const isWrong = field.errorCount > count;
  if (!isWrong || spec.activeDeadlineSeconds === undefined) specChange(spec, before, at);
};

export const validatePodUpdate = validator(podUpdate);

function deadlineChange(spec: PodSpec, old: PodSpec, field: Field): void {
  const { activeDeadlineSeconds: seconds } = spec;
  const { activeDeadlineSeconds: before } = old;
  if (seconds === undefined) {
    const detail = "must not update from a positive integer to nil value";
    if (before !== undefined) field.invalid(null, detail);
    return;
  }
  const count = field.errorCount;
  deadlineRange(seconds, field);
  if (field.errorCount > count || before === undefined || seconds <= before) return;
  field.invalid(seconds, "must be less than or equal to previous value");
}

function specChange(spec: PodSpec, old: PodSpec, field: Field): void {
  onlyAddedTolerations(spec.tolerations ?? [], old.tolerations ?? [], field.child("tolerations"));
  gateChange(spec, old, field.child("schedulingGates"));
  if (isSameValue(spec, old)) return;
  const placed = withOldPlacement(withOldMutables(spec, old), old, field);
  if (isSameValue(placed, old)) return;
  const diff = goDiff("PodSpec", old, placed);
  field.forbidden(`pod updates may not change fields other than ${updatable}\n${diff}`);
}

function gateChange(
  { schedulingGates: gates = [] }: PodSpec,
  { schedulingGates: old = [] }: PodSpec,
  field: Field,
): void {
  const known = new Set(old.map(({ name }) => name));
  gates.forEach(({ name = "" }, i) => {
    if (known.has(name)) return;
    const detail = `only deletion is allowed, but found new scheduling gate '${name}'`;
    field.index(i).child("name").forbidden(detail);
  });
}

/** The new spec with the old values of all fields that can change. */
function withOldMutables(spec: PodSpec, old: PodSpec): PodSpec {
  const copy = deepCopy(spec) as PodSpec;
  for (const list of ["containers", "initContainers"] as const) {
    copy[list]?.forEach((container, i) => {
      const image = old[list]?.[i]?.image;
      if (image !== undefined) container.image = image;
    });
  }
  for (const field of ["activeDeadlineSeconds", "schedulingGates", "tolerations"] as const) {
    if (old[field] === undefined) delete copy[field];
    else Object.assign(copy, { [field]: old[field] });
  }
  const { terminationGracePeriodSeconds: grace } = old;
  if (grace !== undefined && grace < 0 && copy.terminationGracePeriodSeconds === 1) {
    copy.terminationGracePeriodSeconds = grace;
  }
  return copy;
}

/** Annotations for static pods and AppArmor are immutable. */
export function annotationChange(pod: Pod, field: Field): void {
  const { annotations = {} } = pod.metadata ?? {};
  const { annotations: before = {} } = (field.old as Pod).metadata ?? {};
  const at = field.child("metadata", "annotations");
  for (const [key, value] of Object.entries(before)) {
    if (annotations[key] !== value) fixedAnnotation(key, "remove or update", at);
  }
  for (const key of Object.keys(annotations)) {
    if (before[key] === undefined) fixedAnnotation(key, "add", at);
  }
  podAnnotations(annotations, pod.spec ?? {}, at);
}

function fixedAnnotation(key: string, verb: string, field: Field): void {
  const at = field.key(key);
  if (key === mirrorAnnotation) at.forbidden(`may not ${verb} mirror pod annotation`);
  else if (key.startsWith(appArmorPrefix)) at.forbidden(`may not ${verb} AppArmor annotations`);
}
