import assert from "node:assert/strict";
import { createPrivateKey, generateKeyPairSync, X509Certificate } from "node:crypto";
import { before, describe, test } from "node:test";
import {
  type CertificateAuthority,
  createCertificateAuthority,
  loadCertificateAuthority,
} from "./certificate-authority.ts";
import { parseCertificate } from "./certificate-info.ts";
import {
  createCertificateSigningRequest,
  parseCertificateSigningRequest,
} from "./certificate-signing-request.ts";
import { PkiError, type PkiErrorCode } from "./errors.ts";
import type { LeafOptions } from "./issuer.ts";
import { keyMatchesCertificate, verifyCertificate } from "./verification.ts";
import { loadX509Library } from "./x509-library.ts";

const now = new Date("2030-01-01T12:00:00Z");
const server = {
  commonName: "localhost",
  dnsNames: ["localhost"],
  ipAddresses: ["127.0.0.1", "0:0::1"],
  usages: ["server"],
} satisfies LeafOptions;

const failsWith = (code: PkiErrorCode, pattern: RegExp) => (error: unknown) => {
  assert.ok(error instanceof PkiError);
  assert.equal(error.code, code);
  assert.match(error.message, pattern);
  assert.doesNotMatch(`${error.message} ${error.cause}`, /PRIVATE KEY/);
  return true;
};

describe("a certificate authority", () => {
  let authority: CertificateAuthority;
  before(async () => {
    authority = await createCertificateAuthority({ commonName: "test", now: () => now });
  });

  test("is a CA that signed itself, valid for ten years", () => {
    const info = parseCertificate(authority.certificate);
    assert.ok(info.isCA);
    assert.equal(info.notBefore.toISOString(), "2030-01-01T11:55:00.000Z");
    assert.equal(info.notAfter.toISOString(), "2039-12-30T11:55:00.000Z");
    verifyCertificate({ ...authority, caBundle: authority.certificate, now });
  });

  test("issues a server certificate that a client accepts for its names", async () => {
    const leaf = await authority.issue(server);
    for (const host of ["localhost", "127.0.0.1", "::1"]) {
      const caBundle = authority.certificate;
      verifyCertificate({ ...leaf, caBundle, now, host, usage: "server" });
    }
    assert.ok(keyMatchesCertificate(leaf.key, leaf.certificate));
    assert.equal(parseCertificate(leaf.certificate).isCA, false);
  });

  test("issues a client certificate with a user and groups, written as they are", async () => {
    const commonName = 'O=x, "system:admin" \\41 ü';
    const organizations = ["system:masters", 'a "b"', "#6869"];
    const leaf = await authority.issue({ commonName, organizations, usages: ["client"] });
    const info = parseCertificate(leaf.certificate);
    assert.deepEqual(info.subject, { commonName, organizations });
    assert.deepEqual(info.usages, ["client"]);
  });

  test("gives every certificate a positive serial number of 20 bytes", async () => {
    const leaf = await authority.issue(server);
    const serials = [leaf, authority].map(
      (pair) => parseCertificate(pair.certificate).serialNumber,
    );
    for (const serial of serials) assert.match(serial, /^[4-7][0-9A-F]{39}$/);
    assert.notEqual(serials[0], serials[1]);
  });

  test("issues nothing that outlives it", async () => {
    const leaf = await authority.issue({ ...server, lifetimeSeconds: 1e9 });
    const { notAfter } = parseCertificate(authority.certificate);
    assert.deepEqual(parseCertificate(leaf.certificate).notAfter, notAfter);
  });

  test("issues with RSA keys on request, and only those may encipher keys", async () => {
    const rsa = await authority.issue({ ...server, keyAlgorithm: "rsa-2048" });
    assert.equal(createPrivateKey(rsa.key).asymmetricKeyType, "rsa");
    assert.ok(keyMatchesCertificate(rsa.key, rsa.certificate));
    const { X509Certificate, KeyUsagesExtension } = await loadX509Library();
    const keyUsage = ({ certificate }: { certificate: string }) =>
      new X509Certificate(certificate).getExtension(KeyUsagesExtension)?.usages;
    assert.equal(keyUsage(rsa), 0b101);
    assert.equal(keyUsage(await authority.issue(server)), 0b001);
  });

  test("links leaves to itself by key identifier", async () => {
    const leaf = new X509Certificate((await authority.issue(server)).certificate);
    assert.ok(leaf.checkIssued(new X509Certificate(authority.certificate)));
    const namesake = await createCertificateAuthority({ commonName: "test" });
    assert.ok(!leaf.checkIssued(new X509Certificate(namesake.certificate)));
  });

  test("issues for a user whose name is longer than X.509's bound, which Kubernetes lacks", async () => {
    const commonName = `system:serviceaccount:${"n".repeat(63)}:${"a".repeat(253)}`;
    const { certificate } = await authority.issue({ commonName, usages: ["client"] });
    assert.equal(parseCertificate(certificate).subject.commonName, commonName);
    const { request } = await createCertificateSigningRequest({ commonName });
    assert.equal((await parseCertificateSigningRequest(request)).commonName, commonName);
  });

  const refused: Record<string, [Partial<LeafOptions>, PkiErrorCode, RegExp]> = {
    "an empty common name": [{ commonName: "" }, "InvalidName", /commonName.*empty/],
    "a common name of 65 characters": [
      { commonName: "x".repeat(65) },
      "InvalidName",
      /longer than 64 characters/,
    ],
    "an empty organization": [{ organizations: [""] }, "InvalidName", /organization is empty/],
    "an empty DNS name": [{ dnsNames: [""] }, "InvalidName", /a name is empty/],
    "a DNS name with a blank": [{ dnsNames: ["a b"] }, "InvalidName", /"a b" is not a DNS name/],
    "a URL as a DNS name": [{ dnsNames: ["https://a"] }, "InvalidName", /not a DNS name/],
    "an IP address as a DNS name": [{ dnsNames: ["10.0.0.1"] }, "InvalidName", /into ipAddresses/],
    "an IP address out of range": [{ ipAddresses: ["10.0.0.256"] }, "InvalidName", /256/],
    "an IP address with a zone": [{ ipAddresses: ["fe80::1%eth0"] }, "InvalidName", /eth0/],
    "a network as an IP address": [{ ipAddresses: ["10.0.0.0/8"] }, "InvalidName", /10.0.0.0/],
    "a server without names": [
      { dnsNames: [], ipAddresses: [] },
      "InvalidName",
      /neither dnsNames/,
    ],
    "no usage": [{ usages: [] }, "InvalidUsage", /no usages/],
    "a lifetime of nothing": [{ lifetimeSeconds: 0 }, "InvalidLifetime", /0 seconds/],
    "a lifetime that is not a number": [{ lifetimeSeconds: Number.NaN }, "InvalidLifetime", /NaN/],
  };
  for (const [what, [change, code, message]] of Object.entries(refused)) {
    test(`refuses to issue for ${what}`, async () => {
      await assert.rejects(authority.issue({ ...server, ...change }), failsWith(code, message));
    });
  }

  test("stops issuing once it has expired", async () => {
    let time = now;
    const short = await createCertificateAuthority({
      commonName: "short",
      lifetimeSeconds: 3600,
      now: () => time,
    });
    time = new Date(now.getTime() + 3600_000);
    await assert.rejects(
      short.issue(server),
      failsWith("Expired", /short.*expired at 2030-01-01T13/),
    );
  });
});

describe("loading a certificate authority", () => {
  const keyForms = {
    "ecdsa-p256": ["sec1", "pkcs8"],
    "rsa-2048": ["pkcs1", "pkcs8"],
  } as const;
  for (const [keyAlgorithm, forms] of Object.entries(keyForms)) {
    test(`accepts a key of ${keyAlgorithm} as ${forms.join(" and ")}`, async () => {
      const made = await createCertificateAuthority({
        commonName: "kubernetes",
        keyAlgorithm: keyAlgorithm as keyof typeof keyForms,
      });
      for (const type of forms) {
        const key = createPrivateKey(made.key).export({ type, format: "pem" }).toString();
        const loaded = await loadCertificateAuthority({ certificate: made.certificate, key });
        const leaf = await loaded.issue(server);
        verifyCertificate({ ...leaf, caBundle: made.certificate, now: new Date() });
        assert.equal(loaded.key, key);
      }
    });
  }

  test("refuses what is not an authority with its key, and says why", async () => {
    const authority = await createCertificateAuthority({ commonName: "a", now: () => now });
    const { certificate, key } = authority;
    const other = await createCertificateAuthority({ commonName: "b", now: () => now });
    const leaf = await authority.issue(server);
    const encrypted = createPrivateKey(key)
      .export({ type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "x" })
      .toString();
    const load = (pair: { certificate: string; key: string }, at = now) =>
      loadCertificateAuthority(pair, () => at);
    const garbage = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";

    await assert.rejects(load({ certificate: "", key }), failsWith("InvalidCertificate", /PEM/));
    await assert.rejects(
      load({ certificate: garbage, key }),
      failsWith("InvalidCertificate", /damaged/),
    );
    await assert.rejects(load({ certificate: key, key }), failsWith("InvalidCertificate", /PEM/));
    await assert.rejects(load({ certificate, key: "nonsense" }), failsWith("InvalidKey", /PEM/));
    await assert.rejects(load({ certificate, key: certificate }), failsWith("InvalidKey", /PEM/));
    await assert.rejects(
      load({ certificate, key: encrypted }),
      failsWith("InvalidKey", /encrypted/),
    );
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "secp256k1" });
    const odd = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
    await assert.rejects(load({ certificate, key: odd }), failsWith("InvalidKey", /not supported/));
    await assert.rejects(load({ certificate, key: other.key }), failsWith("KeyMismatch", /"a"/));
    await assert.rejects(load(leaf), failsWith("NotAnAuthority", /"localhost"/));
    const later = new Date("2045-01-01T00:00:00Z");
    await assert.rejects(load(authority, later), failsWith("Expired", /2039-12-30/));
    const earlier = new Date("2029-01-01T00:00:00Z");
    await assert.rejects(load(authority, earlier), failsWith("NotYetValid", /2030-01-01/));
  });
});
