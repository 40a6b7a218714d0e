import type { KeyObject } from "node:crypto";
import type { JsonGeneralName, Name } from "@peculiar/x509";
import { leafExtensions, subjectAlternativeNames, subjectName } from "./certificate-content.ts";
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
import { encodeUsages, type KeyUsage, type LeafUsage, leafUsages } from "./usages.ts";
import { DAY_SECONDS, type Validity, validityFor } from "./validity.ts";

const LEAF_LIFETIME_SECONDS = 365 * DAY_SECONDS;

/** What an authority signs with. */
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
  /** One year unless told otherwise; never longer than the authority has left. */
  readonly lifetimeSeconds?: number;
}

export interface SigningOptions {
  readonly usages: readonly KeyUsage[];
  /** Never longer than the authority has left. */
  readonly lifetimeSeconds: number;
}

interface LeafToSign {
  readonly subject: Name;
  readonly alternativeNames: JsonGeneralName[];
  readonly publicKey: Uint8Array<ArrayBuffer>;
  readonly usages: readonly KeyUsage[];
  readonly lifetimeSeconds: number;
}

export async function issueLeaf(issuer: Issuer, options: LeafOptions): Promise<CertificateAndKey> {
  if (options.usages.includes("server")) validateServerNames(options);
  else validateClientNames(options);
  const key = await generatePrivateKey(options.keyAlgorithm ?? "ecdsa-p256");
  const certificate = await signLeaf(issuer, {
    subject: await subjectName(options),
    alternativeNames: subjectAlternativeNames(options),
    publicKey: subjectPublicKeyInfo(key),
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
  const { subject, alternativeNames, publicKey } = await readRequest(request);
  return signLeaf(issuer, { subject, alternativeNames, publicKey, ...options });
}

async function signLeaf(issuer: Issuer, leaf: LeafToSign): Promise<string> {
  assertNotExpired(issuer);
  const { subject, publicKey } = leaf;
  const validity = validityFor(leaf.lifetimeSeconds, issuer.now(), issuer.validity);
  const extensions = await leafExtensions({
    publicKey,
    alternativeNames: leaf.alternativeNames,
    usages: encodeUsages(leaf.usages),
    authorityKeyId: issuer.keyId,
    emptySubject: subject.toJSON().length === 0,
  });
  return signCertificate(
    { subject, issuer: issuer.name, publicKey, validity, extensions },
    issuer.key,
  );
}

function assertNotExpired({ name, validity, now }: Issuer): void {
  if (now() < validity.notAfter) return;
  const why = `the authority expired at ${validity.notAfter.toISOString()}`;
  throw new PkiError("Expired", `could not sign with the authority "${name}": ${why}`);
}
