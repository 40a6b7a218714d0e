import assert from "node:assert/strict";
import { createPublicKey } from "node:crypto";
import { before, describe, test } from "node:test";
import { type CertificateAuthority, createCertificateAuthority } from "./certificate-authority.ts";
import { parseCertificate } from "./certificate-info.ts";
import {
  createCertificateSigningRequest,
  parseCertificateSigningRequest,
} from "./certificate-signing-request.ts";
import { createKeyPair, publicKeyOf } from "./keys.ts";
import type { KeyUsage } from "./usages.ts";
import { keyMatchesCertificate, verifyCertificate } from "./verification.ts";

const now = new Date("2030-01-01T12:00:00Z");
const kubelet = {
  commonName: "system:node:a",
  organizations: ["system:nodes"],
  dnsNames: ["a.example"],
  ipAddresses: ["10.0.0.1", "fd00::1"],
};

describe("a certificate signing request", () => {
  let authority: CertificateAuthority;
  before(async () => {
    authority = await createCertificateAuthority({ commonName: "kubernetes", now: () => now });
  });

  for (const keyAlgorithm of ["ecdsa-p256", "rsa-2048"] as const) {
    test(`with a key of ${keyAlgorithm} says what it asks for`, async () => {
      const { request, key } = await createCertificateSigningRequest({ ...kubelet, keyAlgorithm });
      assert.deepEqual(await parseCertificateSigningRequest(request), {
        ...kubelet,
        emailAddresses: [],
        uris: [],
        publicKey: publicKeyOf(key),
      });
    });
  }

  test("is signed with the usages and the lifetime that the signer chooses", async () => {
    const { request, key } = await createCertificateSigningRequest(kubelet);
    const usages: KeyUsage[] = ["digital signature", "key encipherment", "server auth"];
    const certificate = await authority.sign(request, { usages, lifetimeSeconds: 3600 });
    const info = parseCertificate(certificate);
    assert.ok(keyMatchesCertificate(key, certificate));
    assert.deepEqual(info.usages, ["server"]);
    assert.deepEqual(info.dnsNames, kubelet.dnsNames);
    assert.deepEqual(info.ipAddresses, kubelet.ipAddresses);
    assert.deepEqual(info.subject.organizations, ["system:nodes"]);
    assert.equal(info.notAfter.toISOString(), "2030-01-01T13:00:00.000Z");
    assert.equal(info.isCA, false);
    verifyCertificate({ certificate, caBundle: authority.certificate, now, host: "fd00::1" });
  });

  test("is refused when a usage is unknown or missing", async () => {
    const { request } = await createCertificateSigningRequest(kubelet);
    const sign = (usages: string[]) =>
      authority.sign(request, { usages: usages as KeyUsage[], lifetimeSeconds: 3600 });
    await assert.rejects(sign(["toString"]), { code: "InvalidUsage", message: /"toString"/ });
    await assert.rejects(sign([]), { code: "InvalidUsage", message: /no usages/ });
  });

  test("is refused when it was changed after it was signed", async () => {
    const { request } = await createCertificateSigningRequest(kubelet);
    const der = Buffer.from(request.replaceAll(/-----[^-]+-----|\s/g, ""), "base64");
    der.write("b", der.indexOf("system:node:a") + "system:node:".length);
    const forged = pem("CERTIFICATE REQUEST", der);
    const expected = { code: "InvalidRequest", message: /signature does not match/ };
    await assert.rejects(parseCertificateSigningRequest(forged), expected);
    await assert.rejects(
      authority.sign(forged, { usages: ["client auth"], lifetimeSeconds: 3600 }),
      expected,
    );
  });

  const garbage = {
    "nothing at all": "",
    "a PEM block of another type": pem("CERTIFICATE", Buffer.from([0x30, 0])),
    "bytes that are not DER": pem("CERTIFICATE REQUEST", Buffer.from("hello")),
    "an empty sequence": pem("CERTIFICATE REQUEST", Buffer.from([0x30, 0])),
    "a deep nest of sequences": pem("CERTIFICATE REQUEST", nest(60)),
  };
  for (const [what, text] of Object.entries(garbage)) {
    test(`is refused when it is ${what}`, async () => {
      await assert.rejects(parseCertificateSigningRequest(text), { code: "InvalidRequest" });
    });
  }
});

test("a key pair comes as SPKI and PKCS#8", async () => {
  for (const algorithm of ["ecdsa-p256", "rsa-2048"] as const) {
    const { publicKey, privateKey } = await createKeyPair(algorithm);
    assert.match(publicKey, /^-----BEGIN PUBLIC KEY-----\n/);
    assert.match(privateKey, /^-----BEGIN PRIVATE KEY-----\n/);
    assert.ok(createPublicKey(privateKey).equals(createPublicKey(publicKey)));
  }
});

function pem(type: string, der: Uint8Array): string {
  const body = Buffer.from(der).toString("base64");
  return `-----BEGIN ${type}-----\n${body}\n-----END ${type}-----\n`;
}

function nest(depth: number): Uint8Array {
  let der = Buffer.from([0x30, 0]);
  for (let level = 0; level < depth; level++) der = Buffer.from([0x30, der.length, ...der]);
  return der;
}
