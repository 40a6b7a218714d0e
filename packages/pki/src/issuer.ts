import type { KeyObject } from "node:crypto";
import type { Name } from "@peculiar/x509";
import {
  type LeafSubject,
  leafExtensions,
  subjectAlternativeNames,
  subjectName,
} from "./certificate-content.ts";
import { readRequest } from "./certificate-signing-request.ts";
import { PkiError } from "./errors.ts";
import {
  type CertificateAndKey,
  generatePrivateKey,
  type KeyAlgorithm,
  privateKeyPem,
  subjectPublicKeyInfo,
} from "./keys.ts";
import { type CertificateNames, validateClientNames, validateServerNames } from "./names.ts";
import { signCertificate } from "./signer.ts";
import { type KeyUsage, type LeafUsage, leafUsages } from "./usages.ts";
import { DAY_SECONDS, type Validity, validityFor } from "./validity.ts";

const LEAF_LIFETIME_SECONDS = 365 * DAY_SECONDS;

/** The parts of an authority that signing needs. */
export interface Issuer {
  readonly name: Name;
  readonly key: KeyObject;
  /** The subject key identifier of its certificate, in hex. */
  readonly keyId: string;
  readonly validity: Validity;
  readonly now: () => Date;
}

export interface LeafOptions extends CertificateNames {
  readonly usages: readonly LeafUsage[];
  readonly keyAlgorithm?: KeyAlgorithm;
  /** One year by default, limited by the end of the authority. */
  readonly lifetimeSeconds?: number;
}

export interface SigningOptions {
  readonly usages: readonly KeyUsage[];
  /** Limited by the end of the authority. */
  readonly lifetimeSeconds: number;
}

export async function issueLeaf(issuer: Issuer, options: LeafOptions): Promise<CertificateAndKey> {
  if (options.usages.includes("server")) validateServerNames(options);
  else validateClientNames(options);
  const key = await generatePrivateKey(options.keyAlgorithm ?? "ecdsa-p256");
  const leaf = {
    subject: await subjectName(options),
    alternativeNames: subjectAlternativeNames(options),
    publicKey: subjectPublicKeyInfo(key),
  };
  const certificate = await signLeaf(issuer, leaf, {
    usages: leafUsages(options.usages, key),
    lifetimeSeconds: options.lifetimeSeconds ?? LEAF_LIFETIME_SECONDS,
  });
  return { certificate, key: privateKeyPem(key) };
}

export async function signRequest(
  issuer: Issuer,
  request: string,
  options: SigningOptions,
): Promise<string> {
  return signLeaf(issuer, await readRequest(request), options);
}

async function signLeaf(
  issuer: Issuer,
  leaf: LeafSubject,
  { usages, lifetimeSeconds }: SigningOptions,
): Promise<string> {
  assertNotExpired(issuer);
  const { subject, publicKey } = leaf;
  const validity = validityFor(lifetimeSeconds, issuer.now(), issuer.validity);
  const extensions = await leafExtensions(leaf, usages, issuer.keyId);
  const content = { subject, issuer: issuer.name, publicKey, validity, extensions };
  return signCertificate(content, issuer.key);
}

function assertNotExpired({ name, validity, now }: Issuer): void {
  if (now() < validity.notAfter) return;
  const why = `the authority expired at ${validity.notAfter.toISOString()}`;
  throw new PkiError("Expired", `could not sign with the authority "${name}": ${why}`);
}
