import { X509Certificate } from "node:crypto";
import type { CertificateSigningRequest } from "@rookery/api";
import { FieldError, fieldPath, quote, repeatedPlaces } from "@rookery/kube";
import { validateSignerName } from "./signer-name.ts";

const usages = [
  ...["any", "cert sign", "client auth", "code signing", "content commitment", "crl sign"],
  ...["data encipherment", "decipher only", "digital signature", "email protection"],
  ...["encipher only", "ipsec end system", "ipsec tunnel", "ipsec user", "key agreement"],
  ...["key encipherment", "microsoft sgc", "netscape sgc", "ocsp signing", "s/mime"],
  ...["server auth", "signing", "timestamping"],
];
const legacySigner = "kubernetes.io/legacy-unknown";
/** They are there or not: there is no false approval. */
const onlyTrue = ["Approved", "Denied", "Failed"];

/** Problems of a request; what the old one had wrong is let be. */
export function validateRequest(
  csr: CertificateSigningRequest,
  old?: CertificateSigningRequest,
): FieldError[] {
  return [
    ...validateSpec(csr, old),
    ...validateConditions(csr, old),
    ...validateCertificate(csr, old),
  ];
}

function validateSpec(
  { spec = {} }: CertificateSigningRequest,
  old: CertificateSigningRequest | undefined,
): FieldError[] {
  const path = fieldPath("spec");
  const { signerName = "", expirationSeconds } = spec;
  // What is missing is written as null.
  const request = spec.request ?? "";
  const isKnownLegacy = old?.spec?.signerName === legacySigner;
  const legacy = "the legacy signerName is not allowed via this API version";
  const short = "may not specify a duration less than 600 seconds (10 minutes)";
  const seconds = path.child("expirationSeconds");
  return [
    ...(isRequestPem(request)
      ? []
      : [FieldError.invalid(path.child("request"), spec.request ?? null, noRequest)]),
    ...validateUsages(spec.usages ?? [], old?.spec?.usages ?? []),
    ...(signerName === legacySigner && !isKnownLegacy
      ? [FieldError.invalid(path.child("signerName"), signerName, legacy)]
      : validateSignerName(signerName, path.child("signerName"))),
    ...(expirationSeconds !== undefined && expirationSeconds < 600
      ? [FieldError.invalid(seconds, expirationSeconds, short)]
      : []),
  ];
}

const noRequest = "PEM block type must be CERTIFICATE REQUEST";

function isRequestPem(request: string): boolean {
  const text = Buffer.from(request, "base64").toString("latin1");
  return /^-----BEGIN ([A-Z0-9 ]*)-----/m.exec(text)?.[1] === "CERTIFICATE REQUEST";
}

function validateUsages(all: readonly string[], old: readonly string[]): FieldError[] {
  const path = fieldPath("spec", "usages");
  const wasDoubled = repeatedPlaces(old).size > 0;
  const repeated = repeatedPlaces(all);
  const allowUnknown = old.some((usage) => !usages.includes(usage));
  return [
    ...(all.length === 0 ? [FieldError.required(path, "")] : []),
    ...all.flatMap((usage, i) =>
      allowUnknown || usages.includes(usage)
        ? []
        : [FieldError.notSupported(path.index(i), usage, usages)],
    ),
    ...all.flatMap((usage, i) =>
      repeated.has(i) && !wasDoubled ? [FieldError.duplicate(path.index(i), usage)] : [],
    ),
  ];
}

function validateConditions(
  { status }: CertificateSigningRequest,
  old: CertificateSigningRequest | undefined,
): FieldError[] {
  const path = fieldPath("status", "conditions");
  const types = (status?.conditions ?? []).map(({ type = "" }) => type);
  const oldTypes = (old?.status?.conditions ?? []).map(({ type = "" }) => type);
  const isBoth = (list: readonly string[]) => list.includes("Approved") && list.includes("Denied");
  const allowDoubled = new Set(oldTypes).size < oldTypes.length;
  const exclusive = "Approved and Denied conditions are mutually exclusive";
  return (status?.conditions ?? []).flatMap(({ type = "", status: value = "" }, i) => {
    const before = types.slice(0, i);
    const other = { Approved: "Denied", Denied: "Approved" }[type];
    const clashes = !isBoth(oldTypes) && other !== undefined && before.includes(other);
    const allowed = onlyTrue.includes(type) ? ["True"] : ["False", "True", "Unknown"];
    const at = path.index(i);
    return [
      ...(type === "" && !oldTypes.includes("") ? [FieldError.required(at.child("type"), "")] : []),
      ...(value === "" ? [FieldError.required(at.child("status"), "")] : []),
      ...(value !== "" && !allowed.includes(value)
        ? [FieldError.notSupported(at.child("status"), value, allowed)]
        : []),
      ...(clashes ? [FieldError.invalid(path, type, exclusive)] : []),
      ...(before.includes(type) && !allowDoubled
        ? [FieldError.duplicate(at.child("type"), type)]
        : []),
    ];
  });
}

function validateCertificate(
  { status }: CertificateSigningRequest,
  old: CertificateSigningRequest | undefined,
): FieldError[] {
  const { certificate = "" } = status ?? {};
  if (certificate === "" || certificate === old?.status?.certificate) return [];
  const problem = certificateProblem(Buffer.from(certificate, "base64").toString("latin1"));
  if (problem === undefined) return [];
  const path = fieldPath("status", "certificate");
  return [FieldError.invalid(path, "<certificate data>", problem)];
}

const pemBlock = /-----BEGIN ([^-]*)-----\r?\n([\s\S]*?)-----END \1-----/g;

function certificateProblem(pem: string): string | undefined {
  const blocks = [...pem.matchAll(pemBlock)];
  if (blocks.length === 0) return "must contain at least one CERTIFICATE PEM block";
  for (const [block, type = "", body = ""] of blocks) {
    if (type !== "CERTIFICATE") {
      return `only CERTIFICATE PEM blocks are allowed, found ${quote(type)}`;
    }
    if (body.includes(":")) return "no PEM block headers are permitted";
    try {
      new X509Certificate(block);
    } catch {
      return "x509: malformed certificate";
    }
  }
  return undefined;
}
