import { X509Certificate } from "node:crypto";
import type { CertificateSigningRequest } from "@rookery/api";
import {
  quote,
  repeatedPlaces,
  validateDns1123Label,
  validateDns1123Subdomain,
} from "@rookery/kube";
import { required } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";

const maxDomain = 253;
const maxName = maxDomain + 253 + 63 + 2;

/** Go: ValidateSignerName. A name such as "example.com/signer". */
const signerName = required<string>((name, field) => {
  const [domain = "", signer = "", ...rest] = name.split("/");
  if (rest.length > 0 || !name.includes("/")) {
    const form = "a fully qualified domain and path of the form 'example.com/signer-name'";
    field.invalid(name, `must be ${form}`);
    return;
  }
  const labels = domain.split(".");
  const few = "should be a domain with at least two segments separated by dots";
  if (domain.length > maxDomain) field.tooLong(maxDomain);
  firstBad(labels, validateDns1123Label, { field, shown: domain });
  if (labels.length < 2) field.invalid(domain, few);
  firstBad(signer.split("."), validateDns1123Subdomain, { field, shown: signer });
  if (name.length > maxName) field.tooLong(maxName);
});

/** Reports the first label that is invalid. */
function firstBad(
  labels: readonly string[],
  validate: (label: string) => readonly string[],
  { field, shown }: { readonly field: Field; readonly shown: string },
): void {
  const bad = labels.find((label) => validate(label).length > 0);
  if (bad === undefined) return;
  for (const why of validate(bad)) field.invalid(shown, `validating label ${quote(bad)}: ${why}`);
}

const usages = [
  ...["any", "cert sign", "client auth", "code signing", "content commitment", "crl sign"],
  ...["data encipherment", "decipher only", "digital signature", "email protection"],
  ...["encipher only", "ipsec end system", "ipsec tunnel", "ipsec user", "key agreement"],
  ...["key encipherment", "microsoft sgc", "netscape sgc", "ocsp signing", "s/mime"],
  ...["server auth", "signing", "timestamping"],
];
const legacySigner = "kubernetes.io/legacy-unknown";
/** Conditions of these types can only be True. */
const onlyTrue = ["Approved", "Denied", "Failed"];

/** Go: validateCertificateSigningRequest. Errors of the stored request are accepted. */
export function certificateRequest(csr: CertificateSigningRequest, field: Field): void {
  const old = field.old as CertificateSigningRequest | undefined;
  specRules(csr, old, field.child("spec"));
  conditionRules(csr, old, field.child("status", "conditions"));
  certificateRules(csr.status?.certificate ?? "", field.child("status", "certificate"));
}

function specRules(
  { spec = {} }: CertificateSigningRequest,
  old: CertificateSigningRequest | undefined,
  field: Field,
): void {
  const { signerName: signer, expirationSeconds = 600 } = spec;
  const signerField = field.child("signerName");
  // An absent request is null.
  if (!isRequestPem(spec.request ?? "")) {
    const detail = "PEM block type must be CERTIFICATE REQUEST";
    field.child("request").invalid(spec.request ?? null, detail);
  }
  usageRules(spec.usages ?? [], old?.spec?.usages ?? [], field.child("usages"));
  if (signer === legacySigner && old?.spec?.signerName !== legacySigner) {
    signerField.invalid(signer, "the legacy signerName is not allowed via this API version");
  } else signerName(signer, signerField);
  if (expirationSeconds < 600) {
    const detail = "may not specify a duration less than 600 seconds (10 minutes)";
    field.child("expirationSeconds").invalid(expirationSeconds, detail);
  }
}

function isRequestPem(request: string): boolean {
  const text = Buffer.from(request, "base64").toString("latin1");
  return /^-----BEGIN ([A-Z0-9 ]*)-----/m.exec(text)?.[1] === "CERTIFICATE REQUEST";
}

function usageRules(all: readonly string[], old: readonly string[], field: Field): void {
  const wasDoubled = repeatedPlaces(old).size > 0;
  const repeated = repeatedPlaces(all);
  const allowUnknown = old.some((usage) => !usages.includes(usage));
  if (all.length === 0) field.required();
  all.forEach((usage, i) => {
    if (!allowUnknown && !usages.includes(usage)) field.index(i).notSupported(usage, usages);
  });
  for (const i of wasDoubled ? [] : repeated) field.index(i).duplicate(all[i]);
}

function conditionRules(
  { status }: CertificateSigningRequest,
  old: CertificateSigningRequest | undefined,
  field: Field,
): void {
  const oldTypes = (old?.status?.conditions ?? []).map(({ type = "" }) => type);
  const wasBoth = oldTypes.includes("Approved") && oldTypes.includes("Denied");
  const allowDoubled = new Set(oldTypes).size < oldTypes.length;
  const before = new Set<string>();
  (status?.conditions ?? []).forEach(({ type = "", status: value = "" }, i) => {
    const at = field.index(i);
    const other = { Approved: "Denied", Denied: "Approved" }[type] ?? "";
    const allowed = onlyTrue.includes(type) ? ["True"] : ["False", "True", "Unknown"];
    if (type === "" && !oldTypes.includes("")) at.child("type").required();
    if (value === "") at.child("status").required();
    else if (!allowed.includes(value)) at.child("status").notSupported(value, allowed);
    if (!wasBoth && other !== "" && before.has(other)) {
      field.invalid(type, "Approved and Denied conditions are mutually exclusive");
    }
    if (before.has(type) && !allowDoubled) at.child("type").duplicate(type);
    before.add(type);
  });
}

function certificateRules(certificate: string, field: Field): void {
  if (certificate === "" || certificate === field.old) return;
  const problem = certificateProblem(Buffer.from(certificate, "base64").toString("latin1"));
  if (problem !== undefined) field.invalid("<certificate data>", problem);
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
