import { growing, testGrowth } from "@rookery/testing";
import {
  createCertificateAuthority,
  createCertificateSigningRequest,
  parseCertificate,
  parseCertificateSigningRequest,
  splitCertificates,
  verifyCertificate,
} from "./index.ts";
import { rotationStateFromSecretData } from "./rotation/state.ts";

const authority = await createCertificateAuthority({ commonName: "a" });
const other = await createCertificateAuthority({ commonName: "b" });
const namesOf = (count: number) => Array.from({ length: count }, (_, i) => `n${i}.example.com`);
const size = 2000;

/** What takes longer to make than to read. */
async function forSizes(make: (size: number) => Promise<string>, smallest = size) {
  const made = new Map<number, string>();
  for (const count of [smallest, 4 * smallest]) made.set(count, await make(count));
  return (count: number) => made.get(count) ?? "";
}
const certificate = await forSizes(async (count) => {
  const names = { commonName: "a", dnsNames: namesOf(count), usages: ["server"] as const };
  return (await authority.issue(names)).certificate;
});
const request = await forSizes(async (count) => {
  const names = { commonName: "a", dnsNames: namesOf(count) };
  return (await createCertificateSigningRequest(names)).request;
});
const leaf = await authority.issue({ commonName: "a", usages: ["client"] });
const now = new Date();
const pem = (build: (size: number) => string) =>
  growing({
    build,
    run: (text) => [
      splitCertificates(text),
      verifyCertificate({ certificate: text, caBundle: text, now }),
    ],
  });

testGrowth({
  "a certificate of many names": growing({ build: certificate, run: parseCertificate, size }),
  "a request of many names": growing({ build: request, run: parseCertificateSigningRequest, size }),
  "PEM of blocks that do not end": pem((n) => "-----BEGIN CERTIFICATE-----\n".repeat(n)),
  "PEM of a block that does not end": pem(
    (n) => `-----BEGIN CERTIFICATE-----${"a".repeat(32 * n)}`,
  ),
  "PEM of dashes": pem((n) => "-".repeat(32 * n)),
  "PEM of many damaged blocks": pem(
    (n) =>
      `${leaf.certificate}${"-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n".repeat(n)}`,
  ),
  "a bundle of many authorities": growing({
    build: (n) => other.certificate.repeat(n / 10),
    run: (caBundle) => verifyCertificate({ certificate: leaf.certificate, caBundle, now }),
  }),
  "a chain of authorities that could all have signed each other": growing({
    build: (n) => leaf.certificate + authority.certificate.repeat(n / 100),
    run: (chain) => verifyCertificate({ certificate: chain, caBundle: other.certificate, now }),
    size: 200,
  }),
  "a request of blocks that do not end": growing({
    build: (n) => "-----BEGIN CERTIFICATE REQUEST-----\n".repeat(n),
    run: parseCertificateSigningRequest,
  }),
  "a request of much space": growing({
    build: (n) => `-----BEGIN CERTIFICATE REQUEST-----${" ".repeat(32 * n)}x`,
    run: parseCertificateSigningRequest,
  }),
  "a request of lines of space": growing({
    build: (n) => `${"-----BEGIN CERTIFICATE REQUEST-----\n\n"}${"\n ".repeat(16 * n)}x`,
    run: parseCertificateSigningRequest,
  }),
  "a Secret of many former authorities": growing({
    build: (n) => ({ "ca.crt": Buffer.from(authority.certificate.repeat(n)).toString("base64") }),
    run: rotationStateFromSecretData,
  }),
});
