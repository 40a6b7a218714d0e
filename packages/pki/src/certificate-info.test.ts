import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { describe, test } from "node:test";
import { createCertificateAuthority } from "./certificate-authority.ts";
import { parseCertificate, splitCertificates } from "./certificate-info.ts";

describe("what a certificate says", () => {
  test("is read whole", async () => {
    const now = () => new Date("2030-01-01T12:00:00Z");
    const authority = await createCertificateAuthority({
      commonName: "kubernetes",
      organizations: ["example"],
      now,
    });
    const { certificate } = await authority.issue({
      commonName: "kube-apiserver",
      dnsNames: ["kubernetes", "*.svc"],
      ipAddresses: ["10.96.0.1", "fd00:0:0::1"],
      usages: ["client", "server"],
      lifetimeSeconds: 24 * 3600,
    });
    const node = new X509Certificate(certificate);
    assert.deepEqual(parseCertificate(certificate), {
      subject: { commonName: "kube-apiserver", organizations: [] },
      issuer: { commonName: "kubernetes", organizations: ["example"] },
      dnsNames: ["kubernetes", "*.svc"],
      ipAddresses: ["10.96.0.1", "fd00::1"],
      uris: [],
      notBefore: new Date("2030-01-01T11:55:00Z"),
      notAfter: new Date("2030-01-02T11:55:00Z"),
      serialNumber: node.serialNumber,
      fingerprints: { sha1: node.fingerprint, sha256: node.fingerprint256 },
      isCA: false,
      usages: ["server", "client"],
    });
  });

  test("of a bundle comes one certificate at a time", async () => {
    const first = await createCertificateAuthority({ commonName: "first" });
    const second = await createCertificateAuthority({ commonName: "second" });
    const bundle = `# old\n${first.certificate}\n\n# new\n${second.certificate}`;
    assert.deepEqual(splitCertificates(bundle), [first.certificate, second.certificate]);
    assert.equal(parseCertificate(bundle).subject.commonName, "first");
    assert.deepEqual(splitCertificates("nothing"), []);
  });
});
