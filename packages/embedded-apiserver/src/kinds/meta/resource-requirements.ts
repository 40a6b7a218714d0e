import type { ResourceClaim, ResourceRequirements } from "@rookery/api";
import { FieldError } from "@rookery/kube";
import { dns1123Label } from "./checks.ts";
import type { Field } from "./field.ts";
import {
  type Amount,
  containerResourceName,
  hugePagesAmount,
  isHugePages,
  isOvercommitAllowed,
  quantity,
  type ResourceList,
  resourceQuantity,
} from "./quantities.ts";
import type { Rule } from "./rules.ts";

interface ResourceScope {
  /** The names of the pod's resource claims. */
  readonly claims: readonly string[];
}

/** Go: ValidateResourceRequirements. Pod-level resources have other names. */
export function resourceRequirements(
  resourceName: Rule<string> = containerResourceName,
): Rule<ResourceRequirements, ResourceScope> {
  return ({ limits = {}, requests = {}, claims = [] }, field) => {
    for (const [name, value] of Object.entries(limits)) {
      const at = field.child("limits").key(name);
      resourceName(name, at);
      resourceQuantity(name)(value, at);
      hugePagesAmount(name)(value, at);
    }
    for (const [name, value] of Object.entries(requests)) {
      const at = field.child("requests").key(name);
      resourceName(name, at);
      resourceQuantity(name)(value, at);
      withinLimit({ name, value }, limits, field);
      hugePagesAmount(name)(value, at);
    }
    hugePagesNeedOthers([...Object.keys(limits), ...Object.keys(requests)], field);
    resourceClaims(claims, field.child("claims"));
  };
}

function withinLimit(
  { name, value }: { readonly name: string; readonly value: Amount },
  limits: ResourceList,
  field: Field,
): void {
  const limit = limits[name];
  const isOvercommitted = isOvercommitAllowed(name);
  if (limit === undefined) {
    const detail = "Limit must be set for non overcommitable resources";
    if (!isOvercommitted) field.child("limits").required(detail);
    return;
  }
  const order = quantity(value).compare(quantity(limit));
  if (order === 0 || (order < 0 && isOvercommitted)) return;
  const relation = isOvercommitted ? "less than or equal" : "equal";
  const detail = `must be ${relation} to ${name} limit of ${quantity(limit)}`;
  field.child("requests").invalid(String(quantity(value)), detail);
}

function hugePagesNeedOthers(names: readonly string[], field: Field): void {
  const isAlone = names.some(isHugePages) && !names.includes("cpu") && !names.includes("memory");
  if (isAlone) field.forbidden("HugePages require cpu or memory");
}

function resourceClaims(claims: readonly ResourceClaim[], field: Field<ResourceScope>): void {
  const known = field.scope.claims;
  const seen = new Set<string>();
  claims.forEach(({ name = "", request = "" }, i) => {
    const at = field.index(i);
    if (name === "") at.required();
    else claimUse({ name, request }, seen, at);
    if (name !== "" && !known.includes(name)) at.report([unknownClaim(name, known, at)]);
  });
}

/** A claim is used once as a whole, or once for each request. */
function claimUse(
  { name, request }: { readonly name: string; readonly request: string },
  seen: Set<string>,
  field: Field,
): void {
  const key = request === "" ? name : `${name}/${request}`;
  if (seen.has(name)) {
    field.duplicate(name);
    return;
  }
  if (request !== "") dns1123Label(request, field.child("request"));
  if (seen.has(key)) field.duplicate(key);
  else if (request === "" && [...seen].some((other) => other.startsWith(`${name}/`))) {
    field.duplicate(name);
  }
  seen.add(key);
}

function unknownClaim(name: string, known: readonly string[], { path }: Field): FieldError {
  const names = known.length === 0 ? " which is empty" : `: ${known.toSorted().join(", ")}`;
  const detail = `must be one of the names in pod.spec.resourceClaims${names}`;
  return new FieldError("FieldValueNotFound", path, { badValue: name, detail });
}
