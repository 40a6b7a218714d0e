import type {
  DownwardAPIVolumeFile,
  ObjectFieldSelector,
  ResourceFieldSelector,
} from "@rookery/api";
import { quantityOf, validateQualifiedName } from "@rookery/kube";
import { firstOf, required } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";
import { quantity } from "../meta/quantities.ts";
import type { Rule, Rules } from "../meta/rules.ts";
import { fileMode, nonReservedPath } from "./paths.ts";

const volumeFields = [
  "metadata.annotations",
  "metadata.labels",
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
];
const convertible = new Set([
  ...volumeFields,
  "spec.nodeName",
  "spec.restartPolicy",
  "spec.serviceAccountName",
  "spec.schedulerName",
  "status.phase",
  "status.hostIP",
  "status.hostIPs",
  "status.podIP",
  "status.podIPs",
]);
const resourceFields = ["limits", "requests"].flatMap((list) =>
  ["cpu", "ephemeral-storage", "memory"].map((name) => `${list}.${name}`),
);
const hugePagesPrefixes = ["requests.hugepages-", "limits.hugepages-"];
const byteDivisors = ["1", "1k", "1M", "1G", "1T", "1P", "1E"].concat([
  "1Ki",
  "1Mi",
  "1Gi",
  "1Ti",
  "1Pi",
  "1Ei",
]);

/** Go: validateObjectFieldSelector. `fields` are the supported fields. */
export function fieldRef(fields: readonly string[]): Rule<ObjectFieldSelector> {
  return firstOf<ObjectFieldSelector>(
    { apiVersion: required() },
    { fieldPath: required() },
    (ref, field) => {
      const { apiVersion = "", fieldPath = "" } = ref;
      const at = field.child("fieldPath");
      const problem = conversionProblem(apiVersion, fieldPath);
      if (problem !== undefined) {
        return at.invalid(fieldPath, `error converting fieldPath: ${problem}`);
      }
      const entry = subscriptOf(fieldPath);
      if (entry !== undefined) {
        const key = entry.field === "metadata.annotations" ? entry.key.toLowerCase() : entry.key;
        return field.invalidEach(key, validateQualifiedName(key));
      }
      const name = fieldPath === "spec.host" ? "spec.nodeName" : fieldPath;
      if (!fields.includes(name)) at.notSupported(name, fields.toSorted());
    },
  );
}

function conversionProblem(apiVersion: string, fieldPath: string): string | undefined {
  if (apiVersion !== "v1") return `unsupported pod version: ${apiVersion}`;
  const entry = subscriptOf(fieldPath);
  if (entry === undefined) {
    const known = convertible.has(fieldPath) || fieldPath === "spec.host";
    return known ? undefined : `field label not supported: ${fieldPath}`;
  }
  const isMap = entry.field === "metadata.annotations" || entry.field === "metadata.labels";
  return isMap ? undefined : `field label does not support subscript: ${fieldPath}`;
}

/** The parts of "metadata.labels['app']"; undefined without a subscript. */
function subscriptOf(fieldPath: string): { field: string; key: string } | undefined {
  const start = fieldPath.indexOf("['");
  if (!fieldPath.endsWith("']") || start <= 0 || start + 2 > fieldPath.length - 2) return undefined;
  return { field: fieldPath.slice(0, start), key: fieldPath.slice(start + 2, -2) };
}

/** Go: validateContainerResourceFieldSelector. A volume has to name the container. */
export function resourceFieldRef(place: "volume" | "container"): Rule<ResourceFieldSelector> {
  return (selector, field) => {
    const { resource = "", containerName = "" } = selector;
    const at = field.child("resource");
    if (place === "volume" && containerName === "") field.child("containerName").required();
    else if (resource === "") at.required();
    else if (!isResourceField(resource)) at.notSupported(resource, resourceFields);
    validateDivisor(selector, field.child("divisor"));
  };
}

function isResourceField(resource: string): boolean {
  return (
    resourceFields.includes(resource) ||
    hugePagesPrefixes.some((prefix) => resource.startsWith(prefix))
  );
}

function validateDivisor({ resource = "", divisor = "0" }: ResourceFieldSelector, field: Field) {
  const amount = quantity(divisor);
  if (amount.equals(quantityOf(0))) return;
  const rule = divisorRule(resource);
  if (rule === undefined || rule.divisors.includes(String(amount))) return;
  const values = rule.divisors.join(", ").replace(/^1m, 1$/, "1m and 1");
  const detail = `only divisor's values ${values} are supported with the ${rule.name} resource`;
  field.invalid(resource, detail);
}

function divisorRule(resource: string) {
  if (resource.endsWith(".cpu")) return { name: "cpu", divisors: ["1m", "1"] };
  if (resource.endsWith(".memory")) return { name: "memory", divisors: byteDivisors };
  if (resource.endsWith(".ephemeral-storage")) {
    return { name: "local ephemeral storage", divisors: byteDivisors };
  }
  return isResourceField(resource) ? { name: "hugepages", divisors: byteDivisors } : undefined;
}

const volumeFieldRef = fieldRef(volumeFields);
const volumeResourceFieldRef = resourceFieldRef("volume");

/** Go: validateDownwardAPIVolumeFile. */
export const downwardFile: Rules<DownwardAPIVolumeFile> = [
  { path: [required(), nonReservedPath] },
  ({ fieldRef, resourceFieldRef }, field) => {
    if (fieldRef !== undefined) {
      volumeFieldRef(fieldRef, field.child("fieldRef"));
      const both = "fieldRef and resourceFieldRef can not be specified simultaneously";
      if (resourceFieldRef !== undefined) field.invalid("resource", both);
    } else if (resourceFieldRef !== undefined) {
      volumeResourceFieldRef(resourceFieldRef, field.child("resourceFieldRef"));
    } else field.required("one of fieldRef and resourceFieldRef is required");
  },
  { mode: fileMode },
];
