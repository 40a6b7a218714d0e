import type { Container, PodResourceClaim, PodSpec, ResourceRequirements } from "@rookery/api";
import type { Quantity } from "@rookery/kube";
import { dns1123Label, dns1123Subdomain, unique } from "../meta/checks.ts";
import { each, firstOf, optional, required } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";
import { goStruct } from "../meta/internal-form.ts";
import { isHugePages, quantity, type ResourceList, resourceName } from "../meta/quantities.ts";
import { resourceRequirements } from "../meta/resource-requirements.ts";

/** The names of the claims that containers can refer to. */
export function claimNames({ resourceClaims = [] }: PodSpec): string[] {
  return [...new Set(resourceClaims.flatMap(({ name }) => (name ? [name] : [])))];
}

/** Go: validatePodResourceClaim. */
export const resourceClaims = each<PodResourceClaim>([
  { name: required(firstOf(unique, dns1123Label)) },
  oneSource,
  {
    resourceClaimName: optional(dns1123Subdomain),
    resourceClaimTemplateName: optional(dns1123Subdomain),
  },
]);

function oneSource(claim: PodResourceClaim, field: Field): void {
  const { resourceClaimName: own, resourceClaimTemplateName: template } = claim;
  if ((own === undefined) !== (template === undefined)) return;
  const detail =
    own === undefined
      ? "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`"
      : "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified";
  field.invalid(goStruct("PodResourceClaim", claim), detail);
}

export type Amounts = Map<string, Quantity>;
type ListName = "limits" | "requests";

/** Whether a resource can be set at pod level. */
export function isPodLevelResource(name: string): boolean {
  return name === "cpu" || name === "memory" || isHugePages(name);
}

/** The maximum that the containers of a pod use together: init containers run one by one. */
export function aggregateContainers(spec: PodSpec, list: ListName): Amounts {
  const total: Amounts = new Map();
  for (const container of spec.containers ?? []) addAmounts(total, amountsOf(container, list));
  const restartable: Amounts = new Map();
  const initial: Amounts = new Map();
  for (const container of spec.initContainers ?? []) {
    const own = new Map(amountsOf(container, list));
    if (container.restartPolicy === "Always") {
      addAmounts(total, own);
      addAmounts(restartable, own);
      maxAll(initial, restartable);
    } else {
      addAmounts(own, restartable);
      maxAll(initial, own);
    }
  }
  maxAll(total, initial);
  return total;
}

function amountsOf({ resources }: Container, list: ListName): Amounts {
  const entries = Object.entries(resources?.[list] ?? {});
  return new Map(entries.map(([name, value]) => [name, quantity(value)]));
}

export function addAmounts(target: Amounts, more: Amounts): void {
  for (const [name, amount] of more) target.set(name, target.get(name)?.add(amount) ?? amount);
}

function maxAll(target: Amounts, other: Amounts): void {
  for (const [name, amount] of other) {
    const current = target.get(name);
    if (current === undefined || current.compare(amount) < 0) target.set(name, amount);
  }
}

const podResourceName = firstOf<string>(resourceName, (name, field) => {
  if (!isPodLevelResource(name)) field.notSupported(name, ["cpu", "hugepages-", "memory"]);
});
const podRequirements = resourceRequirements(podResourceName);

/** Go: validatePodResources. */
export function podResources(spec: PodSpec, field: Field): void {
  const { resources, os } = spec;
  const isWindows = os?.name === "windows";
  if (resources && isWindows) field.forbidden("may not be set for a windows pod");
  if (resources === undefined || isWindows) return;
  if (resources.claims !== undefined) {
    field.child("claims").forbidden("claims may not be set for Resources at pod-level");
  }
  podRequirements(resources, field.withScope({ claims: claimNames(spec) }));
  aboveContainers(spec, resources, field);
  containerLimits(spec, resources.limits ?? {}, field);
}

/** Requests of the pod, and its limits of huge pages, must not be below those of its containers. */
function aboveContainers(
  spec: PodSpec,
  { requests = {}, limits = {} }: ResourceRequirements,
  field: Field,
): void {
  const hugeLimits = Object.entries(limits).filter(([name]) => isHugePages(name));
  const own = { requests, limits: Object.fromEntries(hugeLimits) };
  for (const list of ["requests", "limits"] as const) {
    for (const [name, amount] of aggregateContainers(spec, list)) {
      const value = own[list][name];
      if (value === undefined || amount.compare(quantity(value)) <= 0) continue;
      const detail = `must be greater than or equal to aggregate container ${list} of ${amount}`;
      field
        .child(list)
        .key(name)
        .invalid(String(quantity(value)), detail);
    }
  }
}

function containerLimits({ containers = [] }: PodSpec, limits: ResourceList, field: Field): void {
  containers.forEach((container, i) => {
    for (const [name, amount] of amountsOf(container, "limits")) {
      const limit = limits[name];
      if (limit === undefined || amount.compare(quantity(limit)) <= 0) continue;
      const at = field.child("containers").index(i).key(name).child("limits");
      at.invalid(String(amount), `must be less than or equal to pod limits of ${quantity(limit)}`);
    }
  });
}
