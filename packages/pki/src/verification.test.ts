import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import {
  type CertificateAuthority,
  createCertificateAuthority,
  loadCertificateAuthority,
} from "./certificate-authority.ts";
import {
  authorityExtensions,
  leafExtensions,
  subjectAlternativeNames,
  subjectName,
} from "./certificate-content.ts";
import {
  type CertificateAndKey,
  generatePrivateKey,
  privateKeyPem,
  readPrivateKey,
  subjectPublicKeyInfo,
} from "./keys.ts";
import { signCertificate } from "./signer.ts";
import { validityFor } from "./validity.ts";
import { type VerificationOptions, verifyCertificate } from "./verification.ts";

const now = new Date("2030-01-01T12:00:00Z");

describe("verifying a certificate", () => {
  let authority: CertificateAuthority;
  let other: CertificateAuthority;
  let namesake: CertificateAuthority;
  let leaf: CertificateAndKey;
  let selfSigned: string;
  before(async () => {
    authority = await createCertificateAuthority({ commonName: "a", now: () => now });
    other = await createCertificateAuthority({ commonName: "b", now: () => now });
    namesake = await createCertificateAuthority({ commonName: "a", now: () => now });
    const names = { commonName: "web", dnsNames: ["*.web.svc"], ipAddresses: ["10.0.0.1"] };
    leaf = await authority.issue({ ...names, usages: ["server"], lifetimeSeconds: 3600 });
    selfSigned = await signSelf({ commonName: "self", dnsNames: ["self.svc"] });
  });
  const verify = (change: Partial<VerificationOptions> = {}) => {
    const caBundle = other.certificate + authority.certificate;
    verifyCertificate({ certificate: leaf.certificate, caBundle, now, ...change });
  };

  test("accepts one that a trusted authority signed", () => {
    verify();
    verify({ usage: "server", host: "x.web.svc" });
    verify({ host: "10.0.0.1" });
  });

  test("refuses one of another authority, also of one with the same name", () => {
    assert.throws(() => verify({ caBundle: other.certificate }), { code: "Untrusted" });
    assert.throws(() => verify({ caBundle: namesake.certificate }), { code: "Untrusted" });
    assert.throws(() => verify({ caBundle: "" }), { code: "Untrusted" });
    assert.throws(() => verify({ caBundle: leaf.certificate }), { code: "Untrusted" });
  });

  test("accepts one that signed itself, where it is trusted", () => {
    const certificate = selfSigned;
    verify({ certificate, caBundle: certificate, usage: "server", host: "self.svc" });
    assert.throws(() => verify({ certificate }), { code: "Untrusted" });
  });

  test("accepts one below an intermediate authority, in whatever order they come", async () => {
    const [one, two] = [
      await signAuthority("one", authority),
      await signAuthority("two", authority),
    ];
    const below = await one.issue({ commonName: "x", usages: ["client"] });
    const chain = (...parts: readonly { certificate: string }[]) =>
      parts.map(({ certificate }) => certificate).join("");
    verify({ certificate: chain(below, one) });
    verify({ certificate: chain(below, two, one, authority) });
    assert.throws(() => verify({ certificate: chain(below, two) }), { code: "Untrusted" });
    const copies = Array.from({ length: 50 }, () => one);
    assert.throws(
      () => verify({ certificate: chain(below, ...copies), caBundle: other.certificate }),
      {
        code: "Untrusted",
      },
    );
  });

  test("refuses one outside its time or after its authority's", () => {
    const at = (iso: string) => () => verify({ now: new Date(iso) });
    assert.throws(at("2030-01-01T13:00:00Z"), { code: "Expired" });
    assert.throws(at("2030-01-01T11:54:59Z"), { code: "NotYetValid" });
    assert.doesNotThrow(at("2030-01-01T11:55:00Z"));
  });

  test("refuses one for another use or another host", () => {
    assert.throws(() => verify({ usage: "client" }), { code: "InvalidUsage" });
    assert.throws(() => verify({ host: "web" }), { code: "InvalidName" });
    assert.throws(() => verify({ host: "10.0.0.2" }), { code: "InvalidName" });
  });
});

/** An authority that another one has signed. */
async function signAuthority(commonName: string, by: CertificateAuthority) {
  const key = await generatePrivateKey("ecdsa-p256");
  const publicKey = subjectPublicKeyInfo(key);
  const content = {
    subject: await subjectName({ commonName }),
    issuer: await subjectName({ commonName: "a" }),
    publicKey,
    validity: validityFor(7200, now),
    extensions: await authorityExtensions(publicKey),
  };
  const certificate = await signCertificate(content, readPrivateKey(by.key));
  return loadCertificateAuthority({ certificate, key: privateKeyPem(key) }, () => now);
}

/** As a self-signed Issuer of cert-manager makes it: a leaf, and no authority. */
async function signSelf(names: { commonName: string; dnsNames: string[] }): Promise<string> {
  const key = await generatePrivateKey("ecdsa-p256");
  const publicKey = subjectPublicKeyInfo(key);
  const subject = await subjectName(names);
  const leaf = { subject, alternativeNames: subjectAlternativeNames(names), publicKey };
  const extensions = await leafExtensions(leaf, ["digital signature", "server auth"], "00");
  const validity = validityFor(3600, now);
  return signCertificate({ subject, issuer: subject, publicKey, validity, extensions }, key);
}
