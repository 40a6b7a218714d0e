import { createPublicKey, type KeyObject } from "node:crypto";
import type { JsonGeneralName, Name } from "@peculiar/x509";
import {
  authorityExtensions,
  leafExtensions,
  subjectAlternativeNames,
  subjectName,
} from "./certificate-content.ts";
import { generatePrivateKey, type KeyAlgorithm, privateKeyPem, readPrivateKey } from "./keys.ts";
import { type CertificateNames, validateNames } from "./names.ts";
import { signCertificate } from "./signer.ts";
import { encodeUsages, type KeyUsage, type LeafUsage, leafUsages } from "./usages.ts";
import { DAY_SECONDS, type Validity, validityFor } from "./validity.ts";
import { loadX509Library } from "./x509-library.ts";

/** A certificate with its private key, both in PEM; the key as PKCS#8. */
export interface CertificateAndKey {
  readonly certificate: string;
  readonly key: string;
}

export interface AuthorityOptions {
  readonly commonName: string;
  readonly organizations?: readonly string[];
  readonly keyAlgorithm?: KeyAlgorithm;
  /** Ten years unless told otherwise. */
  readonly lifetimeSeconds?: number;
  readonly now?: () => Date;
}

export interface LeafOptions extends CertificateNames {
  readonly usages: readonly LeafUsage[];
  readonly keyAlgorithm?: KeyAlgorithm;
  /** One year unless told otherwise; never longer than the authority has left. */
  readonly lifetimeSeconds?: number;
}

export interface CertificateAuthority extends CertificateAndKey {
  /** Makes a key and a certificate for it. */
  issue(options: LeafOptions): Promise<CertificateAndKey>;
}

const AUTHORITY_LIFETIME_SECONDS = 3650 * DAY_SECONDS;
const LEAF_LIFETIME_SECONDS = 365 * DAY_SECONDS;

/** Makes a self-signed certificate authority. */
export async function createCertificateAuthority(
  options: AuthorityOptions,
): Promise<CertificateAuthority> {
  validateNames(options);
  const now = options.now ?? (() => new Date());
  const key = await generatePrivateKey(options.keyAlgorithm ?? "ecdsa-p256");
  const publicKey = spki(key);
  const subject = await subjectName(options);
  const validity = validityFor(options.lifetimeSeconds ?? AUTHORITY_LIFETIME_SECONDS, now());
  const extensions = await authorityExtensions(publicKey);
  const content = { subject, issuer: subject, publicKey, validity, extensions };
  const certificate = await signCertificate(content, key);
  return loadCertificateAuthority({ certificate, key: privateKeyPem(key), now });
}

export async function loadCertificateAuthority(
  options: CertificateAndKey & { readonly now?: () => Date },
): Promise<CertificateAuthority> {
  const key = readPrivateKey(options.key);
  const x509 = await loadX509Library();
  const parsed = new x509.X509Certificate(options.certificate);
  const ski =
    parsed.getExtension(x509.SubjectKeyIdentifierExtension) ??
    (await x509.SubjectKeyIdentifierExtension.create(parsed.publicKey));
  const issuer = {
    name: parsed.subjectName,
    key,
    validity: parsed,
    keyId: ski.keyId,
    now: options.now ?? (() => new Date()),
  };
  return {
    certificate: options.certificate,
    key: options.key,
    issue: (leaf) => issueLeaf(issuer, leaf),
  };
}

interface Issuer {
  readonly name: Name;
  readonly key: KeyObject;
  readonly keyId: string;
  readonly validity: Validity;
  readonly now: () => Date;
}

async function issueLeaf(issuer: Issuer, options: LeafOptions): Promise<CertificateAndKey> {
  validateNames(options);
  const key = await generatePrivateKey(options.keyAlgorithm ?? "ecdsa-p256");
  const certificate = await sign(issuer, {
    subject: await subjectName(options),
    alternativeNames: subjectAlternativeNames(options),
    publicKey: spki(key),
    usages: leafUsages(options.usages, key.asymmetricKeyType ?? ""),
    lifetimeSeconds: options.lifetimeSeconds ?? LEAF_LIFETIME_SECONDS,
  });
  return { certificate, key: privateKeyPem(key) };
}

interface LeafToSign {
  readonly subject: Name;
  readonly alternativeNames: JsonGeneralName[];
  readonly publicKey: Uint8Array<ArrayBuffer>;
  readonly usages: readonly KeyUsage[];
  readonly lifetimeSeconds: number;
}

async function sign(issuer: Issuer, leaf: LeafToSign): Promise<string> {
  const extensions = await leafExtensions({
    publicKey: leaf.publicKey,
    alternativeNames: leaf.alternativeNames,
    usages: encodeUsages(leaf.usages),
    authorityKeyId: issuer.keyId,
    emptySubject: leaf.subject.toString() === "",
  });
  const validity = validityFor(leaf.lifetimeSeconds, issuer.now(), issuer.validity);
  const { subject, publicKey } = leaf;
  return signCertificate(
    { subject, issuer: issuer.name, publicKey, validity, extensions },
    issuer.key,
  );
}

function spki(key: KeyObject): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createPublicKey(key).export({ type: "spki", format: "der" }));
}
