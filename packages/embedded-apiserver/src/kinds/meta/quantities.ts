import {
  FieldError,
  type FieldPath,
  milliQuantityOf,
  parseQuantity,
  type Quantity,
  validateQualifiedName,
} from "@rookery/kube";
import { invalidEach, negativeDetail, notPositiveDetail } from "./field-rules.ts";

/** Amounts by the name of their resource, as in {"cpu": "1500m"}. */
export type ResourceList = Record<string, string | number>;

const hugePagesPrefix = "hugepages-";
const containerResources = new Set(["cpu", "memory", "ephemeral-storage"]);
const countedResources = new Set([
  "pods",
  "resourcequotas",
  "services",
  "replicationcontrollers",
  "secrets",
  "configmaps",
  "persistentvolumeclaims",
  "services.nodeports",
  "services.loadbalancers",
]);
const standardResources = new Set([
  ...containerResources,
  ...countedResources,
  ...["cpu", "memory", "ephemeral-storage"].flatMap((name) => [
    `requests.${name}`,
    `limits.${name}`,
  ]),
  "storage",
  "requests.storage",
]);

export function quantity(value: string | number): Quantity {
  return parseQuantity(String(value));
}

export function isHugePages(name: string): boolean {
  return name.startsWith(hugePagesPrefix);
}

/** Those without a prefix, and those of kubernetes.io. */
export function isNativeResource(name: string): boolean {
  return !name.includes("/") || name.includes("kubernetes.io/");
}

function isExtendedResource(name: string): boolean {
  if (isNativeResource(name) || name.startsWith("requests.")) return false;
  return validateQualifiedName(`requests.${name}`).length === 0;
}

/** Whether requests may be less than limits. */
export function isOvercommitAllowed(name: string): boolean {
  return isNativeResource(name) && !isHugePages(name);
}

function validateNonnegativeQuantity(value: string | number, path: FieldPath): FieldError[] {
  const amount = quantity(value);
  return amount.sign < 0 ? [FieldError.invalid(path, String(amount), negativeDetail)] : [];
}

export function validatePositiveQuantity(value: string | number, path: FieldPath): FieldError[] {
  const amount = quantity(value);
  return amount.sign <= 0 ? [FieldError.invalid(path, String(amount), notPositiveDetail)] : [];
}

/** Not negative, and whole where the resource is counted. */
export function validateResourceQuantity(
  name: string,
  value: string | number,
  path: FieldPath,
): FieldError[] {
  const problems = validateNonnegativeQuantity(value, path);
  const isCounted = countedResources.has(name) || isExtendedResource(name);
  const amount = quantity(value);
  return isCounted && amount.milliValue() % 1000n !== 0n
    ? [...problems, FieldError.invalid(path, String(amount), "must be an integer")]
    : problems;
}

export function validateResourceName(name: string, path: FieldPath): FieldError[] {
  const problems = invalidEach(name, validateQualifiedName(name), path);
  if (problems.length > 0 || name.includes("/")) return problems;
  const isHuge = isHugePages(name) || name.startsWith(`requests.${hugePagesPrefix}`);
  if (standardResources.has(name) || isHuge) return [];
  const detail = "must be a standard resource type or fully qualified";
  return [FieldError.invalid(path, name, detail)];
}

export function validateContainerResourceName(name: string, path: FieldPath): FieldError[] {
  const problems = validateResourceName(name, path);
  if (!name.includes("/")) {
    if (containerResources.has(name) || isHugePages(name)) return problems;
    const detail = "must be a standard resource for containers";
    return [...problems, FieldError.invalid(path, name, detail)];
  }
  if (isNativeResource(name) || isExtendedResource(name)) return problems;
  const detail = "doesn't follow extended resource name standard";
  return [...problems, FieldError.invalid(path, name, detail)];
}

/** Why an amount of huge pages is none of whole pages. */
export function hugePagesProblem(name: string, value: string | number): string | undefined {
  const amount = quantity(value);
  const isWhole = wholePages(name.slice(hugePagesPrefix.length), amount);
  return isWhole ? undefined : `${amount} is not positive integer multiple of ${name}`;
}

function wholePages(size: string, amount: Quantity): boolean {
  try {
    const page = parseQuantity(size);
    if (page.sign <= 0 || page.milliValue() % 1000n !== 0n) return false;
    return amount.value() % page.value() === 0n;
  } catch {
    return false;
  }
}

/** Rounds amounts up to thousandths, which is as fine as Kubernetes keeps them. */
export function roundUpResources(list: ResourceList | undefined): void {
  for (const [name, value] of Object.entries(list ?? {})) {
    if (list === undefined) return;
    const amount = quantity(value);
    const rounded = milliQuantityOf(amount.milliValue(), amount.format);
    list[name] = amount.equals(rounded) ? String(amount) : String(rounded);
  }
}
