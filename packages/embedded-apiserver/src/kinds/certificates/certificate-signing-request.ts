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
import {
  type BuiltInKind,
  type KindContext,
  kindNames,
  type StatusRules,
} from "../declaration/kind.ts";
import { ageColumn, column, nameColumn } from "../meta/columns.ts";
import type { Field } from "../meta/field.ts";
import { isSameValue } from "../meta/field-rules.ts";
import { type Validate, validator } from "../meta/rules.ts";
import { certificateRequest } from "./validate-request.ts";

type Csr = CertificateSigningRequest;

const group = "certificates.k8s.io";

/** A request never changes: only its approval and its certificate come, by parts of their own. */
export function certificateSigningRequestKind({ now }: Pick<KindContext, "now">): BuiltInKind<Csr> {
  return {
    ...kindNames(group, "CertificateSigningRequest", "certificatesigningrequests"),
    namespaced: false,
    shortNames: ["csr"],
    validateName: () => [],
    prepareForUpdate(csr, old) {
      keepSpec(csr, old);
    },
    validate: validator(certificateRequest),
    validateUpdate: updateOf(),
    status: {
      prepareForUpdate(csr, old) {
        keepSpec(csr, old);
        for (const type of decisions) keepConditions(csr, old, type);
        fillTimes(csr, old, now());
      },
      validateUpdate: updateOf("certificate"),
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
    validateUpdate: updateOf("approval"),
  };
}

function keepSpec(csr: Csr, { spec }: Csr): void {
  if (spec !== undefined) csr.spec = spec;
}

const decisions = ["Approved", "Denied"];

function conditionsOf({ status }: Csr, type: string): CertificateSigningRequestCondition[] {
  return (status?.conditions ?? []).filter((each) => each.type === type);
}

/** Conditions whose number does not change keep their content. */
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

type Part = "certificate" | "approval";

/** Go: ValidateCertificateSigningRequestUpdate and those of the parts. A part may change more. */
function updateOf(part?: Part): Validate<Csr> {
  return validator<Csr>([
    certificateRequest,
    (csr, field) => {
      const old = field.old as Csr;
      const decided = part === "approval" ? [] : decisions;
      const at = field.child("status", "conditions");
      const count = (of: Csr, type: string) => conditionsOf(of, type).length;
      const refuse = (verb: string, type: string) =>
        at.forbidden(`updates may not ${verb} a condition of type ${quote(type)}`);
      for (const type of [...decisions, "Failed"]) {
        if (count(csr, type) < count(old, type)) refuse("remove", type);
      }
      for (const type of decided) if (count(csr, type) > count(old, type)) refuse("add", type);
      for (const type of decided) {
        const isSame = isSameValue(conditionsOf(csr, type), conditionsOf(old, type));
        if (count(csr, type) === count(old, type) && !isSame) refuse("modify", type);
      }
      certificateChange(csr, part, field.child("status", "certificate"));
    },
  ]);
}

function certificateChange({ status }: Csr, part: Part | undefined, field: Field): void {
  const known = field.old ?? "";
  if ((status?.certificate ?? "") === known) return;
  if (part !== "certificate") field.forbidden("updates may not set certificate content");
  else if (known !== "") field.forbidden("updates may not modify existing certificate content");
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
