import type { Pod, ResourceRequirements } from "@rookery/api";
import type { Quantity } from "@rookery/kube";
import { quantity, type ResourceList } from "../meta/quantities.ts";

type Amounts = Map<string, Quantity>;

/** How sure a pod can be of what it asks for (Go: ComputePodQOS). */
export function qualityOf({ spec = {} }: Pod): "BestEffort" | "Burstable" | "Guaranteed" {
  const { containers = [], initContainers = [] } = spec;
  const parts: readonly ResourceRequirements[] = spec.resources
    ? [spec.resources]
    : [...containers, ...initContainers].map(({ resources = {} }) => resources);
  const requests: Amounts = new Map();
  const limits: Amounts = new Map();
  for (const part of parts) {
    addAll(requests, part.requests);
    addAll(limits, part.limits);
  }
  if (requests.size === 0 && limits.size === 0) return "BestEffort";
  const isLimited = spec.resources
    ? limits.size === 0 || limits.size === 2
    : parts.every(({ limits: own }) => computeAmounts(own).size === 2);
  const isEqual = [...requests].every(([name, amount]) => limits.get(name)?.equals(amount));
  return isLimited && isEqual && requests.size === limits.size ? "Guaranteed" : "Burstable";
}

/** Only CPU and memory count, and only where there is some. */
function computeAmounts(list: ResourceList | undefined): Amounts {
  const entries = Object.entries(list ?? {})
    .filter(([name]) => name === "cpu" || name === "memory")
    .map(([name, value]) => [name, quantity(value)] as const);
  return new Map(entries.filter(([, amount]) => amount.sign > 0));
}

function addAll(target: Amounts, list: ResourceList | undefined): void {
  for (const [name, amount] of computeAmounts(list)) {
    target.set(name, target.get(name)?.add(amount) ?? amount);
  }
}
