import type {
  DownwardAPIVolumeFile,
  ObjectFieldSelector,
  ResourceFieldSelector,
} from "@rookery/api";
import { FieldError, type FieldPath, quantityOf, validateQualifiedName } from "@rookery/kube";
import { invalidEach } from "../meta/field-rules.ts";
import { quantity } from "../meta/quantities.ts";
import { validateFileMode, validateNonReservedPath } from "./paths.ts";

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

/** A field of the pod, out of those that may be asked for here. */
export function validateFieldRef(
  { apiVersion = "", fieldPath = "" }: ObjectFieldSelector,
  fields: readonly string[],
  path: FieldPath,
): FieldError[] {
  if (apiVersion === "") return [FieldError.required(path.child("apiVersion"), "")];
  if (fieldPath === "") return [FieldError.required(path.child("fieldPath"), "")];
  const problem = conversionProblem(apiVersion, fieldPath);
  if (problem !== undefined) {
    const detail = `error converting fieldPath: ${problem}`;
    return [FieldError.invalid(path.child("fieldPath"), fieldPath, detail)];
  }
  const entry = subscriptOf(fieldPath);
  if (entry !== undefined) {
    const key = entry.field === "metadata.annotations" ? entry.key.toLowerCase() : entry.key;
    return invalidEach(key, validateQualifiedName(key), path);
  }
  const field = fieldPath === "spec.host" ? "spec.nodeName" : fieldPath;
  if (fields.includes(field)) return [];
  return [FieldError.notSupported(path.child("fieldPath"), field, fields.toSorted())];
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

/** The parts of "metadata.labels['app']"; undefined where it has none. */
function subscriptOf(fieldPath: string): { field: string; key: string } | undefined {
  const start = fieldPath.indexOf("['");
  if (!fieldPath.endsWith("']") || start <= 0 || start + 2 > fieldPath.length - 2) return undefined;
  return { field: fieldPath.slice(0, start), key: fieldPath.slice(start + 2, -2) };
}

/** A resource of a container, which in a volume has to be named. */
export function validateResourceFieldRef(
  selector: ResourceFieldSelector,
  path: FieldPath,
  place: "volume" | "container",
): FieldError[] {
  const { resource = "", containerName = "" } = selector;
  const problems = [];
  if (place === "volume" && containerName === "") {
    problems.push(FieldError.required(path.child("containerName"), ""));
  } else if (resource === "") problems.push(FieldError.required(path.child("resource"), ""));
  else if (!isResourceField(resource)) {
    problems.push(FieldError.notSupported(path.child("resource"), resource, resourceFields));
  }
  return [...problems, ...validateDivisor(selector, path.child("divisor"))];
}

function isResourceField(resource: string): boolean {
  return (
    resourceFields.includes(resource) ||
    hugePagesPrefixes.some((prefix) => resource.startsWith(prefix))
  );
}

function validateDivisor(
  { resource = "", divisor = "0" }: ResourceFieldSelector,
  path: FieldPath,
): FieldError[] {
  const amount = quantity(divisor);
  if (amount.equals(quantityOf(0))) return [];
  const rule = divisorRule(resource);
  if (rule === undefined || rule.divisors.includes(String(amount))) return [];
  const values = rule.divisors.join(", ").replace(/^1m, 1$/, "1m and 1");
  const detail = `only divisor's values ${values} are supported with the ${rule.name} resource`;
  return [FieldError.invalid(path, resource, detail)];
}

function divisorRule(resource: string) {
  if (resource.endsWith(".cpu")) return { name: "cpu", divisors: ["1m", "1"] };
  if (resource.endsWith(".memory")) return { name: "memory", divisors: byteDivisors };
  if (resource.endsWith(".ephemeral-storage")) {
    return { name: "local ephemeral storage", divisors: byteDivisors };
  }
  return isResourceField(resource) ? { name: "hugepages", divisors: byteDivisors } : undefined;
}

/** A file that says something of the pod or of a container. */
export function validateDownwardFile(file: DownwardAPIVolumeFile, path: FieldPath): FieldError[] {
  const { path: target = "", mode } = file;
  return [
    ...(target === "" ? [FieldError.required(path.child("path"), "")] : []),
    ...validateNonReservedPath(target, path.child("path")),
    ...validateFileSource(file, path),
    ...validateFileMode(mode, path.child("mode")),
  ];
}

function validateFileSource(
  { fieldRef, resourceFieldRef }: DownwardAPIVolumeFile,
  path: FieldPath,
): FieldError[] {
  if (fieldRef !== undefined) {
    const problems = validateFieldRef(fieldRef, volumeFields, path.child("fieldRef"));
    const detail = "fieldRef and resourceFieldRef can not be specified simultaneously";
    return resourceFieldRef === undefined
      ? problems
      : [...problems, FieldError.invalid(path, "resource", detail)];
  }
  if (resourceFieldRef !== undefined) {
    return validateResourceFieldRef(resourceFieldRef, path.child("resourceFieldRef"), "volume");
  }
  return [FieldError.required(path, "one of fieldRef and resourceFieldRef is required")];
}
