import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { test } from "node:test";
import { createCertificateAuthority } from "./certificate-authority.ts";

test("an authority issues a server certificate that it signed", async () => {
  const authority = await createCertificateAuthority({ commonName: "test" });
  const leaf = await authority.issue({
    commonName: "localhost",
    dnsNames: ["localhost"],
    ipAddresses: ["127.0.0.1", "::1"],
    usages: ["server"],
  });
  const certificate = new X509Certificate(leaf.certificate);
  assert.ok(certificate.verify(new X509Certificate(authority.certificate).publicKey));
  assert.equal(certificate.checkHost("localhost"), "localhost");
  assert.equal(certificate.checkIP("::1"), "::1");
});
