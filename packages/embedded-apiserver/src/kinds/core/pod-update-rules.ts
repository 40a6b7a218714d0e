import type { Container, Pod, PodSpec } from "@rookery/api";
import { deepCopy, FieldError, fieldPath } from "@rookery/kube";
import { isSameValue } from "../meta/field-rules.ts";
import { rangeProblem } from "../meta/formats.ts";
import { validateImageSpaces } from "../pod-spec/containers.ts";
import {
  appArmorPrefix,
  mirrorAnnotation,
  validatePodAnnotations,
} from "../pod-spec/pod-annotations.ts";
import { validateAddedTolerations } from "../pod-spec/scheduling.ts";
import { goDiff } from "./go-diff.ts";
import { withOldPlacement } from "./pod-gated-changes.ts";
import { validatePodContent } from "./pod-rules.ts";

const path = fieldPath("spec");
const annotationsPath = fieldPath("metadata", "annotations");
const maxInt32 = 2 ** 31 - 1;
const updatable = [
  "`spec.containers[*].image`",
  "`spec.initContainers[*].image`",
  "`spec.activeDeadlineSeconds`",
  "`spec.tolerations` (only additions to existing tolerations)",
  "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)",
].join(",");

/** Go: ValidatePodUpdate, without the metadata. Some problems keep others from being looked for. */
export function validatePodUpdate(pod: Pod, old: Pod): FieldError[] {
  const problems = [...validatePodContent(pod), ...validateAnnotationChange(pod, old)];
  const [spec, before] = [pod.spec ?? {}, old.spec ?? {}];
  for (const list of ["containers", "initContainers"] as const) {
    const [containers, others] = [spec[list] ?? [], before[list] ?? []];
    if (containers.length !== others.length) {
      const detail = "pod updates may not add or remove containers";
      return [...problems, FieldError.forbidden(path.child(list), detail)];
    }
    problems.push(...validateImages(containers, list));
  }
  const deadline = validateDeadline(spec, before);
  if (deadline.length > 0 && spec.activeDeadlineSeconds !== undefined) {
    return [...problems, ...deadline];
  }
  return [...problems, ...deadline, ...validateSpecChange(spec, before)];
}

function validateImages(
  containers: readonly Container[],
  list: "containers" | "initContainers",
): FieldError[] {
  return containers.flatMap((container, i) => {
    const at = path.child(list).index(i).child("image");
    const missing = (container.image ?? "") === "" ? [FieldError.required(at, "")] : [];
    return [...missing, ...validateImageSpaces(container, at)];
  });
}

function validateDeadline(spec: PodSpec, old: PodSpec): FieldError[] {
  const { activeDeadlineSeconds: seconds } = spec;
  const { activeDeadlineSeconds: before } = old;
  const at = path.child("activeDeadlineSeconds");
  if (seconds === undefined) {
    const detail = "must not update from a positive integer to nil value";
    return before === undefined ? [] : [FieldError.invalid(at, null, detail)];
  }
  if (seconds < 0 || seconds > maxInt32) {
    return [FieldError.invalid(at, seconds, rangeProblem(0, maxInt32))];
  }
  if (before === undefined || seconds <= before) return [];
  return [FieldError.invalid(at, seconds, "must be less than or equal to previous value")];
}

function validateSpecChange(spec: PodSpec, old: PodSpec): FieldError[] {
  const problems = [
    ...validateAddedTolerations(
      spec.tolerations ?? [],
      old.tolerations ?? [],
      path.child("tolerations"),
    ),
    ...validateGates(spec, old),
  ];
  if (isSameValue(spec, old)) return problems;
  const placed = withOldPlacement(withOldMutables(spec, old), old);
  problems.push(...placed.problems);
  if (isSameValue(placed.spec, old)) return problems;
  const diff = goDiff("PodSpec", old, placed.spec);
  const detail = `pod updates may not change fields other than ${updatable}\n${diff}`;
  return [...problems, FieldError.forbidden(path, detail)];
}

function validateGates(
  { schedulingGates: gates = [] }: PodSpec,
  { schedulingGates: old = [] }: PodSpec,
): FieldError[] {
  const known = new Set(old.map(({ name }) => name));
  return gates.flatMap(({ name = "" }, i) => {
    if (known.has(name)) return [];
    const detail = `only deletion is allowed, but found new scheduling gate '${name}'`;
    return [FieldError.forbidden(path.child("schedulingGates").index(i).child("name"), detail)];
  });
}

/** The new spec with the old values of all that may change. */
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

/** Annotations that say what a pod is may neither come nor go. */
export function validateAnnotationChange(pod: Pod, old: Pod): FieldError[] {
  const { annotations = {} } = pod.metadata ?? {};
  const { annotations: before = {} } = old.metadata ?? {};
  const changed = Object.keys(before).filter((key) => annotations[key] !== before[key]);
  const added = Object.keys(annotations).filter((key) => before[key] === undefined);
  return [
    ...changed.flatMap((key) => annotationProblems(key, "remove or update")),
    ...added.flatMap((key) => annotationProblems(key, "add")),
    ...validatePodAnnotations(annotations, pod.spec ?? {}, annotationsPath),
  ];
}

function annotationProblems(key: string, verb: string): FieldError[] {
  const at = annotationsPath.key(key);
  if (key === mirrorAnnotation) {
    return [FieldError.forbidden(at, `may not ${verb} mirror pod annotation`)];
  }
  if (!key.startsWith(appArmorPrefix)) return [];
  return [FieldError.forbidden(at, `may not ${verb} AppArmor annotations`)];
}
