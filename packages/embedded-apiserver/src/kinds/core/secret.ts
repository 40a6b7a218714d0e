import type { Secret } from "@rookery/api";
import type { BuiltInKind } from "../declaration/kind.ts";
import { configMapKey, immutable } from "../meta/checks.ts";
import { ageColumn, column, nameColumn } from "../meta/columns.ts";
import type { Field } from "../meta/field.ts";
import { kindNames } from "../meta/kind-names.ts";
import { type Rules, validator } from "../meta/rules.ts";
import { goJsonProblem } from "./go-json-problem.ts";
import { keyPairProblem } from "./key-pair-problem.ts";
import { base64Bytes, dataMaxBytes, immutableData } from "./stored-data.ts";

const accountAnnotation = "kubernetes.io/service-account.name";

type Data = Readonly<Record<string, string>>;

export const secretKind: BuiltInKind<Secret> = {
  ...kindNames("", "Secret", "secrets"),
  namespaced: true,
  defaults(secret) {
    secret.type ||= "Opaque";
    mergeStringData(secret);
  },
  prepareForUpdate(secret, old) {
    if (!secret.type && old.type) secret.type = old.type;
  },
  validate: (secret) => validateSecret(secret),
  validateUpdate: (secret, old) => validateChange(secret, old),
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

/** Only writers use stringData, and it overrides data. */
function mergeStringData(secret: Secret): void {
  const entries = Object.entries(secret.stringData ?? {});
  delete secret.stringData;
  if (entries.length === 0) return;
  const encoded = entries.map(([key, text]) => [key, Buffer.from(text).toString("base64")]);
  secret.data = { ...secret.data, ...Object.fromEntries(encoded) };
}

function keysAndSize(data: Data = {}, field: Field): void {
  let size = 0;
  for (const [key, value] of Object.entries(data)) {
    configMapKey(key, field.key(key));
    size += base64Bytes(value);
  }
  if (size > dataMaxBytes) field.tooLong(dataMaxBytes);
}

/** The rules of the types of Kubernetes; `field` is that of the data. */
const dataByType: Readonly<Record<string, (data: Data, field: Field) => void>> = {
  "kubernetes.io/dockercfg": jsonAt(".dockercfg"),
  "kubernetes.io/dockerconfigjson": jsonAt(".dockerconfigjson"),
  "kubernetes.io/basic-auth": (data, field) => {
    if (!("username" in data || "password" in data)) needKeys(data, field, "username", "password");
  },
  "kubernetes.io/ssh-auth": (data, field) => {
    if (!data["ssh-privatekey"]) field.key("ssh-privatekey").required();
  },
  "kubernetes.io/tls": (data, field) => needKeys(data, field, "tls.crt", "tls.key"),
};

function byType({ type = "", metadata, data = {} }: Secret, field: Field): void {
  dataByType[type]?.(data, field.child("data"));
  const isToken = type === "kubernetes.io/service-account-token";
  if (!isToken || metadata?.annotations?.[accountAnnotation]) return;
  field.child("metadata", "annotations").key(accountAnnotation).required();
}

function needKeys(data: Data, field: Field, ...keys: readonly string[]): void {
  for (const key of keys) if (data[key] === undefined) field.key(key).required();
}

function jsonAt(key: string) {
  return (data: Data, field: Field) => {
    const value = data[key];
    const problem = value && goJsonProblem(Buffer.from(value, "base64").toString());
    if (value === undefined) field.key(key).required();
    if (problem) field.key(key).invalid("<secret contents redacted>", problem);
  };
}

/** Go: ValidateSecret. */
const secretRules: Rules<Secret> = [{ data: keysAndSize }, byType];
const validateSecret = validator(secretRules);
const validateChange = validator<Secret>([
  { type: immutable },
  immutableData<Secret>("data"),
  secretRules,
]);
