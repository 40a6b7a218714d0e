import type { ResourceClaim, ResourceRequirements } from "@rookery/api";
import { FieldError, type FieldPath, validateDns1123Label } from "@rookery/kube";
import { invalidEach } from "./field-rules.ts";
import {
  hugePagesProblem,
  isHugePages,
  isOvercommitAllowed,
  quantity,
  type ResourceList,
  validateContainerResourceName,
  validateResourceQuantity,
} from "./quantities.ts";

export interface ResourceRules {
  /** The names of the pod's resource claims. */
  readonly claims?: readonly string[];
  /** Problems of a resource's name; those of a container's unless told otherwise. */
  readonly validateName?: (name: string, path: FieldPath) => FieldError[];
}

/** Limits and requests: their names, their amounts, and that requests stay within limits. */
export function validateResourceRequirements(
  requirements: ResourceRequirements,
  path: FieldPath,
  rules: ResourceRules = {},
): FieldError[] {
  const { limits = {}, requests = {}, claims = [] } = requirements;
  return [
    ...amountsOf(limits).flatMap((amount) => {
      const at = path.child("limits").key(amount.name);
      return [...validateAmount(amount, at, rules), ...validatePages(amount, at)];
    }),
    ...amountsOf(requests).flatMap((amount) => {
      const at = path.child("requests").key(amount.name);
      return [
        ...validateAmount(amount, at, rules),
        ...validateWithinLimit(amount, limits, path),
        ...validatePages(amount, at),
      ];
    }),
    ...validateHugePages([...Object.keys(limits), ...Object.keys(requests)], path),
    ...validateClaims(claims, rules.claims ?? [], path.child("claims")),
  ];
}

interface Amount {
  readonly name: string;
  readonly value: string | number;
}

function amountsOf(list: ResourceList): Amount[] {
  return Object.entries(list).map(([name, value]) => ({ name, value }));
}

function validateAmount(
  { name, value }: Amount,
  path: FieldPath,
  { validateName = validateContainerResourceName }: ResourceRules,
): FieldError[] {
  return [...validateName(name, path), ...validateResourceQuantity(name, value, path)];
}

function validatePages({ name, value }: Amount, path: FieldPath): FieldError[] {
  const problem = isHugePages(name) ? hugePagesProblem(name, value) : undefined;
  return problem === undefined ? [] : [FieldError.invalid(path, String(quantity(value)), problem)];
}

function validateWithinLimit(
  { name, value }: Amount,
  limits: ResourceList,
  path: FieldPath,
): FieldError[] {
  const limit = limits[name];
  if (limit === undefined) {
    const detail = "Limit must be set for non overcommitable resources";
    return isOvercommitAllowed(name) ? [] : [FieldError.required(path.child("limits"), detail)];
  }
  const order = quantity(value).compare(quantity(limit));
  const relation = isOvercommitAllowed(name) ? "less than or equal" : "equal";
  if (order === 0 || (order < 0 && isOvercommitAllowed(name))) return [];
  const detail = `must be ${relation} to ${name} limit of ${quantity(limit)}`;
  return [FieldError.invalid(path.child("requests"), String(quantity(value)), detail)];
}

function validateHugePages(names: readonly string[], path: FieldPath): FieldError[] {
  const isAlone = names.some(isHugePages) && !names.includes("cpu") && !names.includes("memory");
  return isAlone ? [FieldError.forbidden(path, "HugePages require cpu or memory")] : [];
}

function validateClaims(
  claims: readonly ResourceClaim[],
  known: readonly string[],
  path: FieldPath,
): FieldError[] {
  const seen = new Set<string>();
  return claims.flatMap(({ name = "", request = "" }, i) => {
    if (name === "") return [FieldError.required(path.index(i), "")];
    const problems = validateClaimName({ name, request }, seen, path.index(i));
    return known.includes(name)
      ? problems
      : [...problems, unknownClaim(name, known, path.index(i))];
  });
}

/** A claim is named once as a whole, or by its requests, once each. */
function validateClaimName(
  { name, request }: { readonly name: string; readonly request: string },
  seen: Set<string>,
  path: FieldPath,
): FieldError[] {
  if (seen.has(name)) return [FieldError.duplicate(path, name)];
  const key = request === "" ? name : `${name}/${request}`;
  const problems =
    request === ""
      ? []
      : invalidEach(request, validateDns1123Label(request), path.child("request"));
  if (seen.has(key)) problems.push(FieldError.duplicate(path, key));
  else if (request === "" && [...seen].some((other) => other.startsWith(`${name}/`)))
    problems.push(FieldError.duplicate(path, name));
  seen.add(key);
  return problems;
}

function unknownClaim(name: string, known: readonly string[], path: FieldPath): FieldError {
  const names = known.length === 0 ? " which is empty" : `: ${known.toSorted().join(", ")}`;
  const detail = `must be one of the names in pod.spec.resourceClaims${names}`;
  return new FieldError("FieldValueNotFound", path, { badValue: name, detail });
}
