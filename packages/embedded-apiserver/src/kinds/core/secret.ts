import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import type { Secret } from "@rookery/api";
import { describeJsonError } from "@rookery/apiserver";
import { describeValue } from "../../types/reading.ts";
import { type BuiltInKind, fieldsByPath, kindNames } from "../declaration/kind.ts";
import { configMapKey, immutable } from "../meta/checks.ts";
import { ageColumn, columns, nameColumn } from "../meta/columns.ts";
import type { Field } from "../meta/field.ts";
import { type Rules, validator } from "../meta/rules.ts";
import { base64Bytes, dataMaxBytes, immutableData } from "./stored-data.ts";

const accountAnnotation = "kubernetes.io/service-account.name";

type Data = Readonly<Record<string, string>>;

/** Moves the write-only stringData into data. */
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

/** The rules of the types of Secrets; `field` is that of the data. */
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

/** The error of Go's decoder for a text that is not a JSON object. */
function goJsonProblem(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (value === null) return undefined;
    const type = describeValue(value);
    return type === "object"
      ? undefined
      : `json: cannot unmarshal ${type} into Go value of type map[string]interface {}`;
  } catch {
    return describeJsonError(text);
  }
}

/** The error of Go's crypto/tls for a certificate and a key that do not match. */
function keyPairProblem(data: Readonly<Record<string, string>>): string | undefined {
  const certificate = Buffer.from(data["tls.crt"] ?? "", "base64").toString();
  const key = Buffer.from(data["tls.key"] ?? "", "base64").toString();
  if (!certificate.includes("-----BEGIN ")) {
    return "tls: failed to find any PEM data in certificate input";
  }
  if (!certificate.includes("-----BEGIN CERTIFICATE-----")) {
    const types = [...certificate.matchAll(/-----BEGIN ([^-]+)-----/g)].map(([, type]) => type);
    return `tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [${types.join(" ")}]`;
  }
  if (!key.includes("-----BEGIN ")) return "tls: failed to find any PEM data in key input";
  return mismatch(certificate, key);
}

function mismatch(certificate: string, key: string): string | undefined {
  const own = privateKey(key);
  if (own === undefined) return "tls: failed to parse private key";
  try {
    const matches = new X509Certificate(certificate).checkPrivateKey(own);
    return matches ? undefined : "tls: private key does not match public key";
  } catch {
    return "x509: malformed certificate";
  }
}

function privateKey(key: string): KeyObject | undefined {
  try {
    return createPrivateKey(key);
  } catch {
    return undefined;
  }
}

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
  validate: validator(secretRules),
  validateUpdate: validator<Secret>([
    { type: immutable },
    immutableData<Secret>("data"),
    secretRules,
  ]),
  warnings: ({ type, data = {} }) => {
    const problem = type === "kubernetes.io/tls" ? keyPairProblem(data) : undefined;
    return problem === undefined ? [] : [problem];
  },
  selectableFields: fieldsByPath("type"),
  columns: [
    nameColumn,
    ...columns<Secret>({
      Type: ({ type = "" }) => type,
      Data: ({ data = {} }) => Object.keys(data).length,
    }),
    ageColumn,
  ],
};
