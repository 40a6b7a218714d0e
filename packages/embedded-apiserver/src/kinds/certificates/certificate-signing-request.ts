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
  fieldsByPath,
  type KindContext,
  keepSpec,
  kindNames,
  type StatusRules,
} from "../declaration/kind.ts";
import { ageColumn, columns, nameColumn } from "../meta/columns.ts";
import type { Field } from "../meta/field.ts";
import { isSameValue } from "../meta/field-rules.ts";
import { type Validate, validator } from "../meta/rules.ts";
import { certificateRequest } from "./validate-request.ts";

type Csr = CertificateSigningRequest;

const group = "certificates.k8s.io";

/** The spec never changes. Approval and certificate are written by subresources. */
export function certificateSigningRequestKind({ now }: Pick<KindContext, "now">): BuiltInKind<Csr> {
  return {
    ...kindNames(group, "CertificateSigningRequest", "certificatesigningrequests"),
    namespaced: false,
    shortNames: ["csr"],
    validateName: () => [],
    prepareForUpdate: keepSpec,
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
    selectableFields: fieldsByPath("spec.signerName"),
    columns: [
      nameColumn,
      ageColumn,
      ...columns<Csr>({
        SignerName: ({ spec }) => spec?.signerName || "<none>",
        Requestor: ({ spec }) => spec?.username ?? "",
        RequestedDuration: requestedDuration,
        Condition: conditionText,
      }),
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

const decisions = ["Approved", "Denied"];

function conditionsOf({ status }: Csr, type: string): CertificateSigningRequestCondition[] {
  return (status?.conditions ?? []).filter((each) => each.type === type);
}

/** Restores the conditions of a type if their number is unchanged. */
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

/** Go: ValidateCertificateSigningRequestUpdate and those of the subresources. */
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

/** The library that parses requests is loaded with the first request. */
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
