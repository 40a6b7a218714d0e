import type { Container, PodSpec, ResourceRequirements } from "@rookery/api";
import { FieldError, type FieldPath, type Quantity } from "@rookery/kube";
import {
  isHugePages,
  quantity,
  type ResourceList,
  validateResourceName,
} from "../meta/quantities.ts";
import { validateResourceRequirements } from "../meta/resource-requirements.ts";
import { claimNames } from "./resource-claims.ts";

type Amounts = Map<string, Quantity>;
type ListName = "limits" | "requests";

/** Whether a resource can be said of a pod as a whole. */
export function isPodLevelResource(name: string): boolean {
  return name === "cpu" || name === "memory" || isHugePages(name);
}

/** What the containers of a pod take together, at the most: those that run first do so one by one. */
export function aggregateContainers(spec: PodSpec, list: ListName): Amounts {
  const total: Amounts = new Map();
  for (const container of spec.containers ?? []) addAll(total, amountsOf(container, list));
  const restartable: Amounts = new Map();
  const initial: Amounts = new Map();
  for (const container of spec.initContainers ?? []) {
    const own = new Map(amountsOf(container, list));
    if (container.restartPolicy === "Always") {
      addAll(total, own);
      addAll(restartable, own);
      maxAll(initial, restartable);
    } else {
      addAll(own, restartable);
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

function addAll(target: Amounts, more: Amounts): void {
  for (const [name, amount] of more) target.set(name, target.get(name)?.add(amount) ?? amount);
}

function maxAll(target: Amounts, other: Amounts): void {
  for (const [name, amount] of other) {
    const current = target.get(name);
    if (current === undefined || current.compare(amount) < 0) target.set(name, amount);
  }
}

/** The resources of a pod as a whole. */
export function validatePodResources(spec: PodSpec, path: FieldPath): FieldError[] {
  const { resources, os } = spec;
  if (resources === undefined) return [];
  if (os?.name === "windows") {
    return [FieldError.forbidden(path, "may not be set for a windows pod")];
  }
  const claims = "claims may not be set for Resources at pod-level";
  return [
    ...(resources.claims === undefined ? [] : [FieldError.forbidden(path.child("claims"), claims)]),
    ...validateResourceRequirements(resources, path, {
      claims: claimNames(spec),
      validateName: validatePodResourceName,
    }),
    ...validateAggregate(spec, resources, path),
    ...validateContainerLimits(spec, resources.limits ?? {}, path),
  ];
}

function validatePodResourceName(name: string, path: FieldPath): FieldError[] {
  const problems = validateResourceName(name, path);
  if (problems.length > 0 || isPodLevelResource(name)) return problems;
  return [FieldError.notSupported(path, name, ["cpu", "hugepages-", "memory"])];
}

function validateAggregate(
  spec: PodSpec,
  { requests = {}, limits = {} }: ResourceRequirements,
  path: FieldPath,
): FieldError[] {
  const hugeLimits = Object.entries(limits).filter(([name]) => isHugePages(name));
  return [
    ...belowAggregate(requests, aggregateContainers(spec, "requests"), path.child("requests")),
    ...belowAggregate(
      Object.fromEntries(hugeLimits),
      aggregateContainers(spec, "limits"),
      path.child("limits"),
    ),
  ];
}

function belowAggregate(list: ResourceList, aggregate: Amounts, path: FieldPath): FieldError[] {
  const name = path.toString().endsWith("limits") ? "limits" : "requests";
  return [...aggregate].flatMap(([resource, amount]) => {
    const own = list[resource];
    if (own === undefined || amount.compare(quantity(own)) <= 0) return [];
    const detail = `must be greater than or equal to aggregate container ${name} of ${amount}`;
    return [FieldError.invalid(path.key(resource), String(quantity(own)), detail)];
  });
}

function validateContainerLimits(
  { containers = [] }: PodSpec,
  limits: ResourceList,
  path: FieldPath,
): FieldError[] {
  return containers.flatMap((container, i) =>
    [...amountsOf(container, "limits")].flatMap(([name, amount]) => {
      const limit = limits[name];
      if (limit === undefined || amount.compare(quantity(limit)) <= 0) return [];
      const at = path.child("containers").index(i).key(name).child("limits");
      const detail = `must be less than or equal to pod limits of ${quantity(limit)}`;
      return [FieldError.invalid(at, String(amount), detail)];
    }),
  );
}
