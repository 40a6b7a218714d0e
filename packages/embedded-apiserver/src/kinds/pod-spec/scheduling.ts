import type { PodSchedulingGate, Toleration, TopologySpreadConstraint } from "@rookery/api";
import { FieldError, type FieldPath, repeatedPlaces, validateLabelValue } from "@rookery/kube";
import {
  invalidEach,
  validateLabelName,
  validatePositive,
  validateSupported,
} from "../meta/field-rules.ts";
import { validateSelector } from "../meta/label-selectors.ts";
import { validateLabelKeys } from "./label-keys.ts";

const taintEffects = ["NoSchedule", "PreferNoSchedule", "NoExecute"];
const inclusionPolicies = ["Honor", "Ignore"];

export function validateTaintEffect(effect: string, path: FieldPath): FieldError[] {
  return validateSupported(effect, taintEffects, path);
}

export function validateTolerations(
  tolerations: readonly Toleration[],
  path: FieldPath,
): FieldError[] {
  return tolerations.flatMap((toleration, i) => {
    const { key = "", effect = "" } = toleration;
    const at = path.index(i);
    return [
      ...(key === "" ? [] : validateLabelName(key, at.child("key"))),
      ...validateTolerationScope(toleration, at),
      ...validateTolerationOperator(toleration, at.child("operator")),
      ...(effect === "" ? [] : validateTaintEffect(effect, at.child("effect"))),
    ];
  });
}

function validateTolerationScope(
  { key = "", operator = "", effect = "", tolerationSeconds }: Toleration,
  path: FieldPath,
): FieldError[] {
  const all =
    'operator must be Exists when `key` is empty, which means "match all values and all keys"';
  const timed = "effect must be 'NoExecute' when `tolerationSeconds` is set";
  return [
    ...(key === "" && operator !== "Exists"
      ? [FieldError.invalid(path.child("operator"), operator, all)]
      : []),
    ...(tolerationSeconds !== undefined && effect !== "NoExecute"
      ? [FieldError.invalid(path.child("effect"), effect, timed)]
      : []),
  ];
}

function validateTolerationOperator(
  { operator = "", value = "" }: Toleration,
  path: FieldPath,
): FieldError[] {
  if (operator === "Equal" || operator === "") {
    const problems = validateLabelValue(value);
    return problems.length === 0 ? [] : [FieldError.invalid(path, value, problems.join(";"))];
  }
  if (operator !== "Exists") return validateSupported(operator, ["Equal", "Exists"], path);
  const detail = "value must be empty when `operator` is 'Exists'";
  return value === "" ? [] : [FieldError.invalid(path, value, detail)];
}

/** Every old toleration is still there, but for its time; others may have come. */
export function validateAddedTolerations(
  tolerations: readonly Toleration[],
  old: readonly Toleration[],
  path: FieldPath,
): FieldError[] {
  const now = new Set(tolerations.map(contentOf));
  const isKept = old.every((before) => now.has(contentOf(before)));
  if (isKept) return validateTolerations(tolerations, path);
  const detail = "existing toleration can not be modified except its tolerationSeconds";
  return [FieldError.forbidden(path, detail)];
}

/** Equal tolerations have equal texts. */
function contentOf({ key = "", operator = "", value = "", effect = "" }: Toleration): string {
  return JSON.stringify([key, operator, value, effect]);
}

export function validateSchedulingGates(
  gates: readonly PodSchedulingGate[],
  path: FieldPath,
): FieldError[] {
  const seen = new Set<string>();
  return gates.flatMap(({ name = "" }, i) => {
    const repeated = seen.has(name) ? [FieldError.duplicate(path.index(i), name)] : [];
    seen.add(name);
    return [...validateLabelName(name, path.index(i)), ...repeated];
  });
}

export function validateTopologySpread(
  constraints: readonly TopologySpreadConstraint[],
  path: FieldPath,
): FieldError[] {
  const keys = constraints.map((each) => `${each.topologyKey}, ${each.whenUnsatisfiable}`);
  const repeated = repeatedPlaces(keys.toReversed());
  return constraints.flatMap((constraint, i) => {
    const { maxSkew = 0, topologyKey = "", whenUnsatisfiable = "" } = constraint;
    const at = path.index(i);
    const missing = FieldError.required(at.child("topologyKey"), "can not be empty");
    const actions = ["DoNotSchedule", "ScheduleAnyway"];
    return [
      ...validatePositive(maxSkew, at.child("maxSkew")),
      ...(topologyKey === "" ? [missing] : []),
      ...validateSupported(whenUnsatisfiable, actions, at.child("whenUnsatisfiable")),
      ...(repeated.has(keys.length - 1 - i)
        ? [FieldError.duplicate(at.child("{topologyKey, whenUnsatisfiable}"), `{${keys[i]}}`)]
        : []),
      ...validateDomains(constraint, at.child("minDomains")),
      ...validateInclusion(constraint, at),
      ...validateLabelKeys(constraint, at),
      ...validateSelector(constraint.labelSelector, at.child("labelSelector")),
    ];
  });
}

function validateDomains(
  { minDomains, whenUnsatisfiable = "" }: TopologySpreadConstraint,
  path: FieldPath,
): FieldError[] {
  if (minDomains === undefined) return [];
  const detail = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${whenUnsatisfiable}`;
  return [
    ...validatePositive(minDomains, path),
    ...(whenUnsatisfiable === "DoNotSchedule" ? [] : invalidEach(minDomains, [detail], path)),
  ];
}

function validateInclusion(constraint: TopologySpreadConstraint, path: FieldPath): FieldError[] {
  return (["nodeAffinityPolicy", "nodeTaintsPolicy"] as const).flatMap((field) => {
    const policy = constraint[field];
    if (policy === undefined) return [];
    return validateSupported(policy, inclusionPolicies, path.child(field));
  });
}
