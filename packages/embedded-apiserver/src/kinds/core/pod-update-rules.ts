import type { Container, Pod, PodSpec } from "@rookery/api";
import { deepCopy } from "@rookery/kube";
import { inRange } from "../meta/checks.ts";
import { each, required } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";
import { isSameValue } from "../meta/field-rules.ts";
import { type Rule, ruleOf, validator } from "../meta/rules.ts";
import { imageWithoutSpaces } from "../pod-spec/containers.ts";
import { appArmorPrefix, mirrorAnnotation, podAnnotations } from "../pod-spec/pod-annotations.ts";
import { onlyAddedTolerations } from "../pod-spec/scheduling.ts";
import { withOldPlacement } from "./pod-gated-changes.ts";
import { podContent } from "./pod-rules.ts";
import { goDiff } from "./unified-diff.ts";

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
