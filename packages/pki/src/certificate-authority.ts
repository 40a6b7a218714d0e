import type { KeyObject } from "node:crypto";
import { authorityExtensions, subjectName } from "./certificate-content.ts";
import { assertValidAt, type CertificateInfo, parseCertificate } from "./certificate-info.ts";
import { PkiError } from "./errors.ts";
import {
  type Issuer,
  issueLeaf,
  type LeafOptions,
  type SigningOptions,
  signRequest,
} from "./issuer.ts";
import {
  type CertificateAndKey,
  generatePrivateKey,
  type KeyAlgorithm,
  privateKeyPem,
  readPrivateKey,
  subjectPublicKeyInfo,
} from "./keys.ts";
import { validateNames } from "./names.ts";
import { signCertificate, signingAlgorithm } from "./signer.ts";
import { DAY_SECONDS, validityFor } from "./validity.ts";
import { keyMatchesCertificate } from "./verification.ts";
import { loadX509Library } from "./x509-library.ts";

const AUTHORITY_LIFETIME_SECONDS = 3650 * DAY_SECONDS;

export interface AuthorityOptions {
  readonly commonName: string;
  readonly organizations?: readonly string[];
  readonly keyAlgorithm?: KeyAlgorithm;
  /** Ten years by default. */
  readonly lifetimeSeconds?: number;
  readonly now?: () => Date;
}

export interface CertificateAuthority extends CertificateAndKey {
  /** Creates a key and a certificate for it. */
  issue(options: LeafOptions): Promise<CertificateAndKey>;
  /** Signs a certificate signing request in PEM as kube-controller-manager does; returns PEM. */
  sign(request: string, options: SigningOptions): Promise<string>;
}

/** Creates a self-signed certificate authority. */
export async function createCertificateAuthority(
  options: AuthorityOptions,
): Promise<CertificateAuthority> {
  validateNames(options);
  const now = options.now ?? (() => new Date());
  const lifetimeSeconds = options.lifetimeSeconds ?? AUTHORITY_LIFETIME_SECONDS;
  const validity = validityFor(lifetimeSeconds, now());
  const key = await generatePrivateKey(options.keyAlgorithm ?? "ecdsa-p256");
  const publicKey = subjectPublicKeyInfo(key);
  const subject = await subjectName(options);
  const extensions = await authorityExtensions(publicKey);
  const content = { subject, issuer: subject, publicKey, validity, extensions };
  const certificate = await signCertificate(content, key);
  return loadCertificateAuthority({ certificate, key: privateKeyPem(key) }, now);
}

/**
 * Loads an authority with an RSA, ECDSA or Ed25519 key in any PEM form. If a chain follows the
 * certificate, the first certificate is the authority.
 *
 * Errors: InvalidCertificate, InvalidKey, NotAnAuthority, KeyMismatch, NotYetValid, Expired.
 */
export async function loadCertificateAuthority(
  { certificate, key: keyPem }: CertificateAndKey,
  now: () => Date = () => new Date(),
): Promise<CertificateAuthority> {
  const info = parseCertificate(certificate);
  const key = readPrivateKey(keyPem);
  // Rejects kinds of keys that cannot sign.
  signingAlgorithm(key);
  assertAuthority(info, certificate, keyPem);
  assertValidAt(info, now());
  // Parsed once, at the first use: parsing takes milliseconds, and many callers issue nothing.
  let parsed: Promise<Issuer> | undefined;
  const issuer = () => {
    parsed ??= issuerOf(certificate, key, now);
    return parsed;
  };
  return {
    certificate,
    key: keyPem,
    issue: async (options) => issueLeaf(await issuer(), options),
    sign: async (request, options) => signRequest(await issuer(), request, options),
  };
}

async function issuerOf(certificate: string, key: KeyObject, now: () => Date): Promise<Issuer> {
  const x509 = await loadX509Library();
  const parsed = new x509.X509Certificate(certificate);
  const keyIdentifier =
    parsed.getExtension(x509.SubjectKeyIdentifierExtension) ??
    (await x509.SubjectKeyIdentifierExtension.create(parsed.publicKey));
  return { name: parsed.subjectName, validity: parsed, keyId: keyIdentifier.keyId, key, now };
}

function assertAuthority(info: CertificateInfo, certificate: string, key: string): void {
  const object = `the certificate authority "${info.subject.commonName}"`;
  if (!info.isCA) {
    const why = "its certificate may not sign others (basic constraints, key usage)";
    throw new PkiError("NotAnAuthority", `could not use ${object}: ${why}`);
  }
  if (!keyMatchesCertificate(key, certificate)) {
    const why = "the private key does not belong to its certificate";
    throw new PkiError("KeyMismatch", `could not use ${object}: ${why}`);
  }
}
