import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { CertificateSigningRequest, CertificateSigningRequestCondition } from "@rookery/api";
import type { FieldError } from "@rookery/kube";
import { createCertificateAuthority, createCertificateSigningRequest } from "@rookery/pki";
import { certificateSigningRequestKind } from "./certificate-signing-request.ts";

type Csr = CertificateSigningRequest;

const now = new Date("2026-01-01T00:00:00Z");
const kind = certificateSigningRequestKind({ now: () => now });
const textsOf = (errors: readonly FieldError[] = []) => errors.map(String);
const base64 = (text: string) => Buffer.from(text).toString("base64");

function condition(type: string, status = "True"): CertificateSigningRequestCondition {
  return { type, status };
}

describe("a request for a certificate", () => {
  let good: Csr;
  let certificate: string;
  before(async () => {
    const { request } = await createCertificateSigningRequest({ commonName: "jane" });
    const authority = await createCertificateAuthority({ commonName: "ca" });
    certificate = base64(authority.certificate);
    const usages = ["client auth"];
    const signerName = "example.com/signer";
    good = { metadata: { name: "c" }, spec: { request: base64(request), usages, signerName } };
  });

  const specRows: Record<string, readonly [change: Csr["spec"] & object, ...problems: string[]]> = {
    "needs usages": [{ usages: [] }, "spec.usages: Required value"],
    "has each usage once": [
      { usages: ["client auth", "client auth"] },
      'spec.usages[1]: Duplicate value: "client auth"',
    ],
    "needs a signer": [{ signerName: "" }, "spec.signerName: Required value"],
    "needs a signer of a domain": [
      { signerName: "signer" },
      `spec.signerName: Invalid value: "signer": must be a fully qualified domain and path of the form 'example.com/signer-name'`,
    ],
    "needs a domain of two parts": [
      { signerName: "example/x" },
      'spec.signerName: Invalid value: "example": should be a domain with at least two segments separated by dots',
    ],
    "may not have the legacy signer": [
      { signerName: "kubernetes.io/legacy-unknown" },
      'spec.signerName: Invalid value: "kubernetes.io/legacy-unknown": the legacy signerName is not allowed via this API version',
    ],
    "lasts ten minutes at least": [
      { expirationSeconds: 599 },
      "spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 600 seconds (10 minutes)",
    ],
    "is a request": [
      { request: base64("x") },
      'spec.request: Invalid value: "eA==": PEM block type must be CERTIFICATE REQUEST',
    ],
  };
  for (const [sentence, [change, ...problems]] of Object.entries(specRows)) {
    test(sentence, () => {
      const csr = { ...good, spec: { ...good.spec, ...change } };
      assert.deepEqual(textsOf(kind.validate?.(csr)), problems);
    });
  }

  test("that is good passes, and one with a bad signature does not", async () => {
    assert.deepEqual(textsOf(kind.validate?.(good)), []);
    await kind.beforeCreate?.(good);
    const broken = base64(
      Buffer.from(good.spec?.request ?? "", "base64")
        .toString()
        .replace(/.{12}\n-----END/, "AAAAAAAAAAAA\n-----END"),
    );
    const csr = { ...good, spec: { ...good.spec, request: broken } };
    await assert.rejects(async () => kind.beforeCreate?.(csr), { reason: "Invalid" });
  });

  const conditionRows: Record<string, readonly [CertificateSigningRequestCondition[], string]> = {
    "is not approved falsely": [
      [condition("Approved", "False")],
      'status.conditions[0].status: Unsupported value: "False": supported values: "True"',
    ],
    "is not approved and denied": [
      [condition("Approved"), condition("Denied")],
      'status.conditions: Invalid value: "Denied": Approved and Denied conditions are mutually exclusive',
    ],
    "is not approved twice": [
      [condition("Approved"), condition("Approved")],
      'status.conditions[1].type: Duplicate value: "Approved"',
    ],
    "says what its conditions are": [
      [{ status: "True" }],
      "status.conditions[0].type: Required value",
    ],
  };
  for (const [sentence, [conditions, problem]] of Object.entries(conditionRows)) {
    test(sentence, () => {
      const csr = { ...good, status: { conditions } };
      const { approval } = kind.subresources ?? {};
      assert.deepEqual(textsOf(approval?.validateUpdate?.(csr, good)), [problem]);
    });
  }

  test("does not change, but for its metadata", () => {
    const csr: Csr = { ...good, spec: { signerName: "other.com/x" } };
    kind.prepareForUpdate?.(csr, good);
    assert.equal(csr.spec, good.spec);
  });

  test("is approved by its part for that only, and stays so", () => {
    const approved = { ...good, status: { conditions: [condition("Approved")] } };
    const { approval } = kind.subresources ?? {};
    assert.deepEqual(textsOf(approval?.validateUpdate?.(approved, good)), []);
    assert.deepEqual(textsOf(kind.status?.validateUpdate?.(approved, good)), [
      'status.conditions: Forbidden: updates may not add a condition of type "Approved"',
    ]);
    assert.deepEqual(textsOf(approval?.validateUpdate?.(good, approved)), [
      'status.conditions: Forbidden: updates may not remove a condition of type "Approved"',
    ]);
  });

  test("gets its certificate by its status only, and once", () => {
    const signed = { ...good, status: { certificate } };
    assert.deepEqual(textsOf(kind.status?.validateUpdate?.(signed, good)), []);
    const { approval } = kind.subresources ?? {};
    assert.deepEqual(textsOf(approval?.validateUpdate?.(signed, good)), [
      "status.certificate: Forbidden: updates may not set certificate content",
    ]);
    const other = { ...good, status: { certificate: base64("x") } };
    assert.deepEqual(textsOf(kind.status?.validateUpdate?.(other, signed)), [
      'status.certificate: Invalid value: "<certificate data>": must contain at least one CERTIFICATE PEM block',
      "status.certificate: Forbidden: updates may not modify existing certificate content",
    ]);
  });

  test("has the times of its conditions filled in, and an approval changes nothing else", () => {
    const old = { ...good, status: { certificate, conditions: [condition("Other")] } };
    const csr: Csr = { ...good, spec: {}, status: { conditions: [condition("Approved")] } };
    kind.subresources?.approval?.prepareForUpdate?.(csr, old);
    const time = "2026-01-01T00:00:00Z";
    assert.deepEqual(csr.status, {
      certificate,
      conditions: [{ ...condition("Approved"), lastUpdateTime: time, lastTransitionTime: time }],
    });
    assert.equal(csr.spec, good.spec);
  });

  test("shows what became of it", () => {
    const shown = (status: Csr["status"] & object) =>
      kind.columns.at(-1)?.value({ ...good, status } as never, now);
    assert.equal(shown({}), "Pending");
    assert.equal(shown({ conditions: [condition("Denied")] }), "Denied");
    const conditions = [condition("Approved")];
    assert.equal(shown({ conditions, certificate }), "Approved,Issued");
    assert.equal(shown({ conditions: [...conditions, condition("Failed")] }), "Approved,Failed");
  });
});
