import { createPublicKey } from "node:crypto";
import { isIP } from "node:net";
import type { JsonGeneralName, Pkcs10CertificateRequest } from "@peculiar/x509";
import { type LeafSubject, subjectAlternativeNames, subjectName } from "./certificate-content.ts";
import { PkiError } from "./errors.ts";
import { generatePrivateKey, type KeyAlgorithm, privateKeyPem } from "./keys.ts";
import { type CertificateNames, validateClientNames, validateNames } from "./names.ts";
import { signingAlgorithm, signingKeyPair } from "./signer.ts";
import { loadX509Library, type X509Library } from "./x509-library.ts";

export interface CertificateSigningRequestOptions extends CertificateNames {
  readonly keyAlgorithm?: KeyAlgorithm;
}

/** A request with the private key that signed it, both in PEM. */
export interface CertificateSigningRequest {
  readonly request: string;
  readonly key: string;
}

/** The names and the key in a request. The signer decides on usages and lifetime. */
export interface CertificateSigningRequestInfo extends Required<CertificateNames> {
  readonly emailAddresses: readonly string[];
  readonly uris: readonly string[];
  /** SPKI in PEM. */
  readonly publicKey: string;
}

const ALTERNATIVE_NAME_TYPES = ["dns", "ip", "email", "url"];

export async function createCertificateSigningRequest(
  options: CertificateSigningRequestOptions,
): Promise<CertificateSigningRequest> {
  // A request without names of a server is that of a client.
  const { dnsNames = [], ipAddresses = [] } = options;
  const isClient = dnsNames.length + ipAddresses.length === 0;
  (isClient ? validateClientNames : validateNames)(options);
  const key = await generatePrivateKey(options.keyAlgorithm ?? "ecdsa-p256");
  const x509 = await loadX509Library();
  const names = subjectAlternativeNames(options);
  const request = await x509.Pkcs10CertificateRequestGenerator.create({
    name: await subjectName(options),
    keys: signingKeyPair(key),
    signingAlgorithm: signingAlgorithm(key),
    extensions: names.length > 0 ? [new x509.SubjectAlternativeNameExtension(names)] : [],
  });
  return { request: `${request.toString("pem")}\n`, key: privateKeyPem(key) };
}

/** Reads a request in PEM and verifies its signature. Errors: InvalidRequest. */
export async function parseCertificateSigningRequest(
  pem: string,
): Promise<CertificateSigningRequestInfo> {
  const { subject, alternativeNames, publicKey } = await readRequest(pem);
  const namesOf = (type: string) =>
    alternativeNames.filter((name) => name.type === type).map((name) => name.value);
  const spki = createPublicKey({ key: Buffer.from(publicKey), type: "spki", format: "der" });
  return {
    // As in Go and Kubernetes, the last common name counts.
    commonName: subject.getField("CN").at(-1) ?? "",
    organizations: subject.getField("O"),
    dnsNames: namesOf("dns"),
    ipAddresses: namesOf("ip"),
    emailAddresses: namesOf("email"),
    uris: namesOf("url"),
    publicKey: spki.export({ type: "spki", format: "pem" }).toString(),
  };
}

/** The same for the signer. Extensions besides alternative names are ignored. */
export async function readRequest(pem: string): Promise<LeafSubject> {
  if (!/^-----BEGIN CERTIFICATE REQUEST-----\s*$/m.test(pem)) {
    throw invalidRequest("PEM block type must be CERTIFICATE REQUEST");
  }
  const x509 = await loadX509Library();
  try {
    const request = new x509.Pkcs10CertificateRequest(pem);
    const alternativeNames = alternativeNamesOf(request, x509);
    const publicKey = new Uint8Array(request.publicKey.rawData);
    if (await request.verify())
      return { subject: request.subjectName, alternativeNames, publicKey };
  } catch (cause) {
    throw invalidRequest("it is not a PKCS#10 request that can be checked", cause);
  }
  throw invalidRequest("its signature does not match its public key");
}

function alternativeNamesOf(
  request: Pkcs10CertificateRequest,
  { SubjectAlternativeNameExtension }: X509Library,
): JsonGeneralName[] {
  const extension = request.extensions.find(
    (candidate) => candidate instanceof SubjectAlternativeNameExtension,
  );
  const names = extension?.names.toJSON() ?? [];
  const malformed = names.find(({ type, value }) => type === "ip" && isIP(value) === 0);
  if (malformed) throw new TypeError("an IP address has neither 4 nor 16 bytes");
  return names.filter((name) => ALTERNATIVE_NAME_TYPES.includes(name.type));
}

function invalidRequest(why: string, cause?: unknown): PkiError {
  const message = `could not read the certificate signing request: ${why}`;
  return new PkiError("InvalidRequest", message, { cause });
}
