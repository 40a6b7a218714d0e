import type { CertificateSigningRequest, CertificateSigningRequestCondition } from "@rookery/api";
import {
  type Clock,
  FieldError,
  fieldPath,
  formatTime,
  humanDuration,
  invalidError,
  quote,
} from "@rookery/kube";
import { PkiError, parseCertificateSigningRequest } from "@rookery/pki";
import type { BuiltInKind, StatusRules } from "../declaration/kind.ts";
import { ageColumn, column, nameColumn } from "../meta/columns.ts";
import { isSameValue } from "../meta/field-rules.ts";
import { kindNames } from "../meta/kind-names.ts";
import { validateRequest } from "./validate-request.ts";

type Csr = CertificateSigningRequest;

const group = "certificates.k8s.io";

/** A request never changes: only its approval and its certificate come, by parts of their own. */
export function certificateSigningRequestKind(now: Clock): BuiltInKind<Csr> {
  return {
    ...kindNames(group, "CertificateSigningRequest", "certificatesigningrequests"),
    namespaced: false,
    shortNames: ["csr"],
    validateName: () => [],
    prepareForUpdate(csr, old) {
      keepSpec(csr, old);
    },
    validate: (csr) => validateRequest(csr),
    validateUpdate: (csr, old) => [...validateRequest(csr, old), ...changeProblems(csr, old)],
    status: {
      prepareForUpdate(csr, old) {
        keepSpec(csr, old);
        for (const type of decisions) keepConditions(csr, old, type);
        fillTimes(csr, old, now());
      },
      validateUpdate: (csr, old) => [
        ...validateRequest(csr, old),
        ...changeProblems(csr, old, "certificate"),
      ],
    },
    subresources: { approval: approvalRules(now) },
    selectableFields: { "spec.signerName": ({ spec }) => spec?.signerName ?? "" },
    columns: [
      nameColumn,
      ageColumn,
      column("SignerName", "string", ({ spec }: Csr) => spec?.signerName || "<none>"),
      column("Requestor", "string", ({ spec }: Csr) => spec?.username ?? ""),
      column("RequestedDuration", "string", requestedDuration),
      column("Condition", "string", conditionText),
    ],
    beforeCreate: assertSigned,
  };
}

function approvalRules(now: Clock): StatusRules<Csr> {
  return {
    prepareForUpdate(csr, old) {
      fillTimes(csr, old, now());
      const { conditions } = csr.status ?? {};
      keepSpec(csr, old);
      csr.status = { ...old.status, ...(conditions && { conditions }) };
    },
    validateUpdate: (csr, old) => [
      ...validateRequest(csr, old),
      ...changeProblems(csr, old, "approval"),
    ],
  };
}

function keepSpec(csr: Csr, { spec }: Csr): void {
  if (spec !== undefined) csr.spec = spec;
}

const decisions = ["Approved", "Denied"];

function conditionsOf({ status }: Csr, type: string): CertificateSigningRequestCondition[] {
  return (status?.conditions ?? []).filter((each) => each.type === type);
}

/** Where neither more nor fewer are said, those that are there stay as they are. */
function keepConditions(csr: Csr, old: Csr, type: string): void {
  const known = conditionsOf(old, type);
  if (known.length !== conditionsOf(csr, type).length) return;
  csr.status ??= {};
  csr.status.conditions =
    csr.status.conditions?.map((each) => (each.type === type ? (known.shift() ?? each) : each)) ??
    [];
}

function fillTimes(csr: Csr, old: Csr, now: Date): void {
  for (const condition of csr.status?.conditions ?? []) {
    condition.lastUpdateTime ||= formatTime(now);
    const known = conditionsOf(old, condition.type ?? "").find(
      ({ status, lastTransitionTime }) => status === condition.status && lastTransitionTime,
    );
    condition.lastTransitionTime ||= known?.lastTransitionTime ?? formatTime(now);
  }
}

/** Problems of what changed, but for what a part may change. */
function changeProblems(csr: Csr, old: Csr, allowed?: "certificate" | "approval"): FieldError[] {
  const path = fieldPath("status", "conditions");
  const count = (of: Csr, type: string) => conditionsOf(of, type).length;
  const forbidden = (verb: string, type: string) =>
    FieldError.forbidden(path, `updates may not ${verb} a condition of type ${quote(type)}`);
  const removed = [...decisions, "Failed"].filter((type) => count(csr, type) < count(old, type));
  const decided = allowed === "approval" ? [] : decisions;
  const added = decided.filter((type) => count(csr, type) > count(old, type));
  const changed = decided.filter(
    (type) =>
      count(csr, type) === count(old, type) &&
      !isSameValue(conditionsOf(csr, type), conditionsOf(old, type)),
  );
  return [
    ...removed.map((type) => forbidden("remove", type)),
    ...added.map((type) => forbidden("add", type)),
    ...changed.map((type) => forbidden("modify", type)),
    ...certificateProblems(csr, old, allowed),
  ];
}

function certificateProblems(csr: Csr, old: Csr, allowed: string | undefined): FieldError[] {
  const path = fieldPath("status", "certificate");
  const { certificate = "" } = csr.status ?? {};
  const known = old.status?.certificate ?? "";
  if (certificate === known) return [];
  if (allowed !== "certificate") {
    return [FieldError.forbidden(path, "updates may not set certificate content")];
  }
  if (known === "") return [];
  return [FieldError.forbidden(path, "updates may not modify existing certificate content")];
}

/** Reading a request takes a library that is loaded when the first one comes. */
async function assertSigned({ metadata, spec }: Csr): Promise<void> {
  const request = spec?.request ?? "";
  try {
    await parseCertificateSigningRequest(Buffer.from(request, "base64").toString());
  } catch (error) {
    if (!(error instanceof PkiError)) throw error;
    const problem = FieldError.invalid(fieldPath("spec", "request"), request, error.message);
    const kind = { group, kind: "CertificateSigningRequest" };
    throw invalidError(kind, metadata?.name ?? "", [problem]);
  }
}

function requestedDuration({ spec }: Csr): string {
  const { expirationSeconds } = spec ?? {};
  return expirationSeconds === undefined ? "<none>" : humanDuration(expirationSeconds * 1000);
}

function conditionText(csr: Csr): string {
  const has = (type: string) => conditionsOf(csr, type).length > 0;
  const decision = has("Denied") ? "Denied" : has("Approved") ? "Approved" : "Pending";
  const failed = has("Failed") ? ",Failed" : "";
  return `${decision}${failed}${csr.status?.certificate ? ",Issued" : ""}`;
}
