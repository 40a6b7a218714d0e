import type { EnvFromSource, EnvVar, EnvVarSource, FileKeySelector } from "@rookery/api";
import {
  FieldError,
  type FieldPath,
  validateDns1123Label,
  validateDns1123Subdomain,
} from "@rookery/kube";
import { invalidEach } from "../meta/field-rules.ts";
import { validateConfigMapKey, validateEnvVarName } from "../meta/formats.ts";
import { validateFieldRef, validateResourceFieldRef } from "./downward-api.ts";
import { validateNoBacksteps } from "./paths.ts";

const envFields = [
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
  "spec.nodeName",
  "spec.serviceAccountName",
  "status.hostIP",
  "status.hostIPs",
  "status.podIP",
  "status.podIPs",
];

export function validateEnv(variables: readonly EnvVar[], path: FieldPath): FieldError[] {
  return variables.flatMap(({ name = "", value = "", valueFrom }, i) => {
    const at = path.index(i).child("name");
    const problems =
      name === "" ? [FieldError.required(at, "")] : invalidEach(name, validateEnvVarName(name), at);
    if (valueFrom === undefined) return problems;
    return [...problems, ...validateValueFrom(valueFrom, value, path.index(i).child("valueFrom"))];
  });
}

function validateValueFrom(source: EnvVarSource, value: string, path: FieldPath): FieldError[] {
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef } = source;
  const problems = [
    ...(fieldRef === undefined
      ? []
      : validateFieldRef(fieldRef, envFields, path.child("fieldRef"))),
    ...(resourceFieldRef === undefined
      ? []
      : validateResourceFieldRef(resourceFieldRef, path.child("resourceFieldRef"), "container")),
    ...(configMapKeyRef === undefined
      ? []
      : validateKeyRef(configMapKeyRef, path.child("configMapKeyRef"))),
    ...(secretKeyRef === undefined ? [] : validateKeyRef(secretKeyRef, path.child("secretKeyRef"))),
    ...(fileKeyRef === undefined ? [] : validateFileKeyRef(fileKeyRef, path.child("fileKeyRef"))),
  ];
  const count = Object.values(source).filter((each) => each != null).length;
  const detail = sourceProblem(count, value);
  return detail === undefined ? problems : [...problems, FieldError.invalid(path, "", detail)];
}

function sourceProblem(count: number, value: string): string | undefined {
  if (count === 0) {
    return "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`";
  }
  if (value !== "") return "may not be specified when `value` is not empty";
  return count > 1 ? "may not have more than one field specified at a time" : undefined;
}

function validateKeyRef(
  { name = "", key = "" }: { name?: string; key?: string },
  path: FieldPath,
): FieldError[] {
  return [
    ...invalidEach(name, validateDns1123Subdomain(name), path.child("name")),
    ...(key === ""
      ? [FieldError.required(path.child("key"), "")]
      : invalidEach(key, validateConfigMapKey(key), path.child("key"))),
  ];
}

function validateFileKeyRef(
  { key = "", volumeName = "", path: target = "" }: FileKeySelector,
  path: FieldPath,
): FieldError[] {
  const names = [
    ["key", key, validateEnvVarName],
    ["volumeName", volumeName, validateDns1123Label],
  ] as const;
  return [
    ...names.flatMap(([field, value, problems]) =>
      value === ""
        ? [FieldError.required(path.child(field), "")]
        : invalidEach(value, problems(value), path.child(field)),
    ),
    ...(target === ""
      ? [FieldError.required(path.child("path"), "")]
      : validateNoBacksteps(target, path.child("path"))),
  ];
}

export function validateEnvFrom(sources: readonly EnvFromSource[], path: FieldPath): FieldError[] {
  return sources.flatMap(({ prefix = "", configMapRef, secretRef }, i) => {
    const at = path.index(i);
    const problems =
      prefix === "" ? [] : invalidEach(prefix, validateEnvVarName(prefix), at.child("prefix"));
    if (configMapRef !== undefined) {
      problems.push(...validateSourceName(configMapRef, at.child("configMapRef", "name")));
    }
    if (secretRef !== undefined) {
      problems.push(...validateSourceName(secretRef, at.child("secretRef", "name")));
    }
    return [...problems, ...validateOneSource(configMapRef, secretRef, path)];
  });
}

/** A prefix of a name passes here, as with Kubernetes. */
function validateSourceName({ name = "" }: { name?: string }, path: FieldPath): FieldError[] {
  if (name === "") return [FieldError.required(path, "")];
  const masked = name.length > 1 && name.endsWith("-") ? `${name.slice(0, -2)}a` : name;
  return invalidEach(name, validateDns1123Subdomain(masked), path);
}

function validateOneSource(configMap: unknown, secret: unknown, path: FieldPath): FieldError[] {
  if (configMap === undefined && secret === undefined) {
    return [FieldError.invalid(path, "", "must specify one of: `configMapRef` or `secretRef`")];
  }
  if (configMap === undefined || secret === undefined) return [];
  return [FieldError.invalid(path, "", "may not have more than one field specified at a time")];
}
