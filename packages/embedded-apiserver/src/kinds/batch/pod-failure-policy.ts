import type {
  JobSpec,
  PodFailurePolicyOnExitCodesRequirement,
  PodFailurePolicyOnPodConditionsPattern,
  PodFailurePolicyRule,
} from "@rookery/api";
import { FieldError, type FieldPath, omitValue, quote, repeatedPlaces } from "@rookery/kube";
import { validateLabelName, validateSupported } from "../meta/field-rules.ts";

const actions = ["Count", "FailIndex", "FailJob", "Ignore"];
const operators = ["In", "NotIn"];
const statuses = ["False", "True", "Unknown"];
const maxRules = 20;
const maxValues = 255;
const maxPatterns = 20;

/** What becomes of a job when a pod fails, by exit codes and conditions. */
export function validatePodFailurePolicy(spec: JobSpec, path: FieldPath): FieldError[] {
  const rules = spec.podFailurePolicy?.rules ?? [];
  const at = path.child("rules");
  return [
    ...(rules.length > maxRules ? [FieldError.tooMany(at, rules.length, maxRules)] : []),
    ...rules.flatMap((rule, i) => validateRule(rule, spec, at.index(i))),
  ];
}

function validateRule(rule: PodFailurePolicyRule, spec: JobSpec, path: FieldPath): FieldError[] {
  const { onExitCodes, onPodConditions = [] } = rule;
  const refused = (detail: string) => [FieldError.invalid(path, omitValue, detail)];
  const isBoth = onExitCodes !== undefined && onPodConditions.length > 0;
  const isNone = onExitCodes === undefined && onPodConditions.length === 0;
  return [
    ...validateAction(rule.action ?? "", spec, path.child("action")),
    ...(onExitCodes ? validateExitCodes(onExitCodes, spec, path.child("onExitCodes")) : []),
    ...validateConditions(onPodConditions, path.child("onPodConditions")),
    ...(isBoth ? refused("specifying both OnExitCodes and OnPodConditions is not supported") : []),
    ...(isNone ? refused("specifying one of OnExitCodes and OnPodConditions is required") : []),
  ];
}

function validateAction(action: string, spec: JobSpec, path: FieldPath): FieldError[] {
  if (action === "FailIndex") {
    const detail = "requires the backoffLimitPerIndex to be set";
    return spec.backoffLimitPerIndex === undefined
      ? [FieldError.invalid(path, action, detail)]
      : [];
  }
  return validateListed(action, actions, path);
}

/** A value of a closed set, which a missing one is told. */
function validateListed(value: string, choices: readonly string[], path: FieldPath): FieldError[] {
  if (value !== "") return validateSupported(value, choices, path);
  return [FieldError.required(path, `valid values: [${choices.map(quote).join(" ")}]`)];
}

function validateConditions(
  patterns: readonly PodFailurePolicyOnPodConditionsPattern[],
  path: FieldPath,
): FieldError[] {
  return [
    ...(patterns.length > maxPatterns
      ? [FieldError.tooMany(path, patterns.length, maxPatterns)]
      : []),
    ...patterns.flatMap(({ type = "", status = "" }, i) => [
      ...validateLabelName(type, path.index(i).child("type")),
      ...validateListed(status, statuses, path.index(i).child("status")),
    ]),
  ];
}

function validateExitCodes(
  requirement: PodFailurePolicyOnExitCodesRequirement,
  { template }: JobSpec,
  path: FieldPath,
): FieldError[] {
  const { operator = "", containerName, values } = requirement;
  const { containers, initContainers } = template?.spec ?? {};
  const names = [...(containers ?? []), ...(initContainers ?? [])].map(({ name }) => name);
  const isForeign = containerName !== undefined && !names.includes(containerName);
  const foreign = "must be one of the container or initContainer names in the pod template";
  return [
    ...validateListed(operator, operators, path.child("operator")),
    ...(isForeign ? [FieldError.invalid(path.child("containerName"), containerName, foreign)] : []),
    ...validateValues(values ?? [], operator, path.child("values")),
  ];
}

function validateValues(
  values: readonly number[],
  operator: string,
  path: FieldPath,
): FieldError[] {
  const isOrdered = values.every((value, i) => i === 0 || (values[i - 1] ?? 0) <= value);
  const repeated = repeatedPlaces(values);
  const none = "at least one value is required";
  return [
    ...(values.length === 0 ? [FieldError.invalid(path, values, none)] : []),
    ...(values.length > maxValues ? [FieldError.tooMany(path, values.length, maxValues)] : []),
    ...values.flatMap((value, i) => [
      ...(operator === "In" && value === 0
        ? [FieldError.invalid(path.index(i), value, "must not be 0 for the In operator")]
        : []),
      ...(repeated.has(i) ? [FieldError.duplicate(path.index(i), value)] : []),
    ]),
    ...(isOrdered ? [] : [FieldError.invalid(path, values, "must be ordered")]),
  ];
}
