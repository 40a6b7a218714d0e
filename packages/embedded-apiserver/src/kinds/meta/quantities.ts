import {
  milliQuantityOf,
  parseQuantity,
  type Quantity,
  quote,
  validateQualifiedName,
} from "@rookery/kube";
import { qualifiedName } from "./checks.ts";
import { firstOf } from "./combinators.ts";
import { negativeDetail, notPositiveDetail } from "./field-rules.ts";
import type { Rule } from "./rules.ts";

/** A quantity in JSON, such as "1500m". */
export type Amount = string | number;
/** Amounts by resource name. */
export type ResourceList = Record<string, Amount>;

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

export function quantity(value: Amount): Quantity {
  return parseQuantity(String(value));
}

function isWhole(amount: Quantity): boolean {
  return amount.milliValue() % 1000n === 0n;
}

/** Warns about amounts of these resources that are a fraction of a byte. */
export function wholeBytes(...names: readonly string[]): Rule<ResourceList | undefined> {
  return (list, field) => {
    for (const name of names) {
      const amount = quantity(list?.[name] ?? "0");
      const shown = quote(String(amount));
      if (isWhole(amount)) continue;
      field.key(name).warn(`fractional byte value ${shown} is invalid, must be an integer`);
    }
  };
}

export function isHugePages(name: string): boolean {
  return name.startsWith(hugePagesPrefix);
}

/** Resources without a prefix or with one of kubernetes.io. */
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

export const positiveQuantity: Rule<Amount> = (value, field) => {
  const amount = quantity(value);
  if (amount.sign <= 0) field.invalid(String(amount), notPositiveDetail);
};

/** Go: validateBasicResource. */
export const basicQuantity: Rule<Amount> = (value, field) => {
  const amount = quantity(value);
  if (amount.sign < 0) field.invalid(amount.value(), "must be a valid resource quantity");
};

/** Go: validateResourceQuantityValue. Amounts of countable resources are integers. */
export function resourceQuantity(name: string): Rule<Amount> {
  const isCounted = countedResources.has(name) || isExtendedResource(name);
  return (value, field) => {
    const amount = quantity(value);
    if (amount.sign < 0) field.invalid(String(amount), negativeDetail);
    if (isCounted && !isWhole(amount)) field.invalid(String(amount), "must be an integer");
  };
}

/** Go: validateResourceName. */
export const resourceName: Rule<string> = firstOf<string>(qualifiedName, (name, field) => {
  const isHuge = isHugePages(name) || name.startsWith(`requests.${hugePagesPrefix}`);
  if (name.includes("/") || standardResources.has(name) || isHuge) return;
  field.invalid(name, "must be a standard resource type or fully qualified");
});

/** Go: validateContainerResourceName. */
export const containerResourceName: Rule<string> = (name, field) => {
  resourceName(name, field);
  if (!name.includes("/")) {
    if (containerResources.has(name) || isHugePages(name)) return;
    field.invalid(name, "must be a standard resource for containers");
  } else if (!isNativeResource(name) && !isExtendedResource(name)) {
    field.invalid(name, "doesn't follow extended resource name standard");
  }
};

/** The problem of an amount that is not a multiple of the page size. */
function hugePagesProblem(name: string, value: Amount): string | undefined {
  const amount = quantity(value);
  const isMultiple = wholePages(name.slice(hugePagesPrefix.length), amount);
  return isMultiple ? undefined : `${amount} is not positive integer multiple of ${name}`;
}

export function hugePagesAmount(name: string): Rule<Amount> {
  return (value, field) => {
    const problem = isHugePages(name) ? hugePagesProblem(name, value) : undefined;
    if (problem !== undefined) field.invalid(String(quantity(value)), problem);
  };
}

function wholePages(size: string, amount: Quantity): boolean {
  try {
    const page = parseQuantity(size);
    if (page.sign <= 0 || !isWhole(page)) return false;
    return amount.value() % page.value() === 0n;
  } catch {
    return false;
  }
}

/** Rounds amounts up to thousandths, like Kubernetes. */
export function roundUpResources(list: ResourceList | undefined): void {
  for (const [name, value] of Object.entries(list ?? {})) {
    if (list === undefined) return;
    const amount = quantity(value);
    const rounded = milliQuantityOf(amount.milliValue(), amount.format);
    list[name] = amount.equals(rounded) ? String(amount) : String(rounded);
  }
}
