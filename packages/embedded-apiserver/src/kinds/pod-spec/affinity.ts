import type {
  Affinity,
  NodeAffinity,
  NodeSelector,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  PodAffinity,
  PodAffinityTerm,
} from "@rookery/api";
import {
  FieldError,
  type FieldPath,
  validateDns1123Label,
  validateDns1123Subdomain,
} from "@rookery/kube";
import { invalidEach, labelValueProblems, validateLabelName } from "../meta/field-rules.ts";
import { validateSelector } from "../meta/label-selectors.ts";
import { validateLabelKeys } from "./label-keys.ts";

const required = "requiredDuringSchedulingIgnoredDuringExecution";
const preferred = "preferredDuringSchedulingIgnoredDuringExecution";

export function validateAffinity(affinity: Affinity | undefined, path: FieldPath): FieldError[] {
  const { nodeAffinity, podAffinity, podAntiAffinity } = affinity ?? {};
  return [
    ...validateNodeAffinity(nodeAffinity ?? {}, path.child("nodeAffinity")),
    ...validatePodAffinity(podAffinity ?? {}, path.child("podAffinity")),
    ...validatePodAffinity(podAntiAffinity ?? {}, path.child("podAntiAffinity")),
  ];
}

function validateNodeAffinity(affinity: NodeAffinity, path: FieldPath): FieldError[] {
  const selector = affinity[required];
  const terms = affinity[preferred] ?? [];
  return [
    ...(selector === undefined ? [] : validateNodeSelector(selector, path.child(required))),
    ...terms.flatMap(({ weight = 0, preference = {} }, i) => {
      const at = path.child(preferred).index(i);
      return [
        ...validateWeight(weight, at.child("weight")),
        ...validateTerm(preference, at.child("preference"), { looseValues: true }),
      ];
    }),
  ];
}

/** Which nodes are meant, here and in a PersistentVolume. */
export function validateNodeSelector(selector: NodeSelector, path: FieldPath): FieldError[] {
  const terms = selector.nodeSelectorTerms ?? [];
  const at = path.child("nodeSelectorTerms");
  if (terms.length === 0) {
    return [FieldError.required(at, "must have at least one node selector term")];
  }
  return terms.flatMap((term, i) => validateTerm(term, at.index(i), { looseValues: false }));
}

function validateWeight(weight: number, path: FieldPath): FieldError[] {
  if (weight > 0 && weight <= 100) return [];
  return [FieldError.invalid(path, weight, "must be in the range 1-100")];
}

interface TermRules {
  /** Whether values may be none of labels. */
  readonly looseValues: boolean;
}

function validateTerm(
  { matchExpressions = [], matchFields = [] }: NodeSelectorTerm,
  path: FieldPath,
  rules: TermRules,
): FieldError[] {
  return [
    ...matchExpressions.flatMap((requirement, i) =>
      validateRequirement(requirement, path.child("matchExpressions").index(i), rules),
    ),
    ...matchFields.flatMap((requirement, i) =>
      validateFieldRequirement(requirement, path.child("matchFields").index(i)),
    ),
  ];
}

function validateRequirement(
  requirement: NodeSelectorRequirement,
  path: FieldPath,
  { looseValues }: TermRules,
): FieldError[] {
  const { key = "", values = [] } = requirement;
  return [
    ...validateOperator(requirement, path),
    ...validateLabelName(key, path.child("key")),
    ...(looseValues
      ? []
      : values.flatMap((value, i) => labelValueProblems(value, path.child("values").index(i)))),
  ];
}

function validateOperator(
  { operator = "", values = [] }: NodeSelectorRequirement,
  path: FieldPath,
): FieldError[] {
  const at = path.child("values");
  if (operator === "In" || operator === "NotIn") {
    const detail = "must be specified when `operator` is 'In' or 'NotIn'";
    return values.length > 0 ? [] : [FieldError.required(at, detail)];
  }
  if (operator === "Exists" || operator === "DoesNotExist") {
    const detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
    return values.length === 0 ? [] : [FieldError.forbidden(at, detail)];
  }
  if (operator === "Gt" || operator === "Lt") {
    const detail = "must be specified single value when `operator` is 'Lt' or 'Gt'";
    return values.length === 1 ? [] : [FieldError.required(at, detail)];
  }
  const detail = "not a valid selector operator";
  return [FieldError.invalid(path.child("operator"), operator, detail)];
}

function validateFieldRequirement(
  { key = "", operator = "", values = [] }: NodeSelectorRequirement,
  path: FieldPath,
): FieldError[] {
  const problems: FieldError[] = [];
  if (operator !== "In" && operator !== "NotIn") {
    const detail = "not a valid selector operator";
    problems.push(FieldError.invalid(path.child("operator"), operator, detail));
  } else if (values.length !== 1) {
    const detail =
      "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
    problems.push(FieldError.required(path.child("values"), detail));
  }
  if (key !== "metadata.name") {
    const detail = "not a valid field selector key";
    return [...problems, FieldError.invalid(path.child("key"), key, detail)];
  }
  const named = values.flatMap((value, i) =>
    invalidEach(value, validateDns1123Subdomain(value), path.child("values").index(i)),
  );
  return [...problems, ...named];
}

function validatePodAffinity(affinity: PodAffinity, path: FieldPath): FieldError[] {
  const terms = affinity[required] ?? [];
  const weighted = affinity[preferred] ?? [];
  return [
    ...terms.flatMap((term, i) => validatePodTerm(term, path.child(required).index(i))),
    ...weighted.flatMap(({ weight = 0, podAffinityTerm = {} }, i) => {
      const at = path.child(preferred).index(i);
      return [
        ...validateWeight(weight, at.child("weight")),
        ...validatePodTerm(podAffinityTerm, at.child("podAffinityTerm")),
      ];
    }),
  ];
}

function validatePodTerm(term: PodAffinityTerm, path: FieldPath): FieldError[] {
  const { labelSelector, namespaceSelector, namespaces = [], topologyKey = "" } = term;
  const at = path.child("topologyKey");
  return [
    ...validateSelector(labelSelector, path.child("labelSelector")),
    ...validateSelector(namespaceSelector, path.child("namespaceSelector")),
    ...namespaces.flatMap((name) =>
      invalidEach(name, validateDns1123Label(name), path.child("namespace")),
    ),
    ...validateLabelKeys(term, path),
    ...(topologyKey === "" ? [FieldError.required(at, "can not be empty")] : []),
    ...validateLabelName(topologyKey, at),
  ];
}
