import type { Secret } from "@rookery/api";
import { FieldError, fieldPath } from "@rookery/kube";
import type { BuiltInKind } from "../declaration/kind.ts";
import { ageColumn, column, nameColumn } from "../meta/columns.ts";
import { invalidEach, validateImmutable } from "../meta/field-rules.ts";
import { validateConfigMapKey } from "../meta/formats.ts";
import { coreNames } from "./core-names.ts";
import { goJsonProblem } from "./go-json-problem.ts";
import { keyPairProblem } from "./key-pair-problem.ts";
import { base64Bytes, dataMaxBytes, validateImmutableData } from "./stored-data.ts";

const accountAnnotation = "kubernetes.io/service-account.name";
const path = fieldPath("data");

export const secretKind: BuiltInKind<Secret> = {
  ...coreNames("Secret", "secrets"),
  namespaced: true,
  defaults(secret) {
    secret.type ||= "Opaque";
    mergeStringData(secret);
  },
  prepareForUpdate(secret, old) {
    if (!secret.type && old.type) secret.type = old.type;
  },
  validate: validateSecret,
  validateUpdate: (secret, old) => [
    ...validateImmutable(secret.type, old.type, fieldPath("type")),
    ...validateImmutableData(secret, old, ["data"]),
    ...validateSecret(secret),
  ],
  warnings: ({ type, data = {} }) => {
    const problem = type === "kubernetes.io/tls" ? keyPairProblem(data) : undefined;
    return problem === undefined ? [] : [problem];
  },
  selectableFields: { type: ({ type = "" }) => type },
  columns: [
    nameColumn,
    column("Type", "string", ({ type = "" }: Secret) => type),
    column("Data", "string", ({ data = {} }: Secret) => Object.keys(data).length),
    ageColumn,
  ],
};

/** It is for writers only, and wins over data. */
function mergeStringData(secret: Secret): void {
  const entries = Object.entries(secret.stringData ?? {});
  delete secret.stringData;
  if (entries.length === 0) return;
  const encoded = entries.map(([key, text]) => [key, Buffer.from(text).toString("base64")]);
  secret.data = { ...secret.data, ...Object.fromEntries(encoded) };
}

function validateSecret(secret: Secret): FieldError[] {
  const { data = {} } = secret;
  const size = Object.values(data).reduce((sum, value) => sum + base64Bytes(value), 0);
  return [
    ...Object.keys(data).flatMap((key) =>
      invalidEach(key, validateConfigMapKey(key), path.key(key)),
    ),
    ...(size > dataMaxBytes ? [FieldError.tooLong(path, dataMaxBytes)] : []),
    ...validateByType(secret),
  ];
}

/** The types of Kubernetes need keys; any other has its own rules. */
function validateByType({ type, metadata, data = {} }: Secret): FieldError[] {
  switch (type) {
    case "kubernetes.io/service-account-token": {
      const at = fieldPath("metadata", "annotations").key(accountAnnotation);
      return metadata?.annotations?.[accountAnnotation] ? [] : [FieldError.required(at, "")];
    }
    case "kubernetes.io/dockercfg":
      return validateJson(data, ".dockercfg");
    case "kubernetes.io/dockerconfigjson":
      return validateJson(data, ".dockerconfigjson");
    case "kubernetes.io/basic-auth":
      return "username" in data || "password" in data
        ? []
        : missingKeys(data, ["username", "password"]);
    case "kubernetes.io/ssh-auth":
      return data["ssh-privatekey"] ? [] : [FieldError.required(path.key("ssh-privatekey"), "")];
    case "kubernetes.io/tls":
      return missingKeys(data, ["tls.crt", "tls.key"]);
    default:
      return [];
  }
}

type Data = Readonly<Record<string, string>>;

function missingKeys(data: Data, keys: readonly string[]): FieldError[] {
  return keys
    .filter((key) => data[key] === undefined)
    .map((key) => FieldError.required(path.key(key), ""));
}

function validateJson(data: Data, key: string): FieldError[] {
  const value = data[key];
  if (value === undefined) return [FieldError.required(path.key(key), "")];
  const problem = goJsonProblem(Buffer.from(value, "base64").toString());
  if (problem === undefined) return [];
  return [FieldError.invalid(path.key(key), "<secret contents redacted>", problem)];
}
