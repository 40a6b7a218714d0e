import { splitCertificates } from "../certificate-info.ts";
import { PkiError } from "../errors.ts";
import type { CertificateAndKey } from "../keys.ts";
import { keyMatchesCertificate } from "../verification.ts";

/** An authority and the leaf that it has signed. */
export interface ActiveCertificates {
  readonly authority: CertificateAndKey;
  readonly leaf: CertificateAndKey;
}

/**
 * The stored state of a rotation.
 *
 * Guarantees: an authority becomes active only after a bundle with it was published, so that the
 * active leaf may always be served. An authority leaves the bundle only after it has expired. No leaf
 * outlives its authority.
 */
export interface RotationState {
  readonly active?: ActiveCertificates;
  /** In the bundle already; becomes active after clients had time to read the bundle. */
  readonly nextAuthority?: CertificateAndKey;
  /** Certificates of earlier authorities, without keys: their leaves may still be served. */
  readonly formerAuthorities: readonly string[];
}

export const emptyRotationState: RotationState = { formerAuthorities: [] };

/** The authorities that clients have to trust, in PEM: active, next and former. */
export function caBundle(state: RotationState): string {
  const { active, nextAuthority, formerAuthorities } = state;
  const current = [active?.authority.certificate, nextAuthority?.certificate];
  return [...current, ...formerAuthorities].join("");
}

/** The `data` of a Secret: values in base64. */
export type SecretData = Readonly<Record<string, string>>;

/**
 * Encodes a state as the data of a Secret. `tls.crt`, `tls.key` and `ca.crt`, the whole bundle, are those
 * of every TLS Secret, so that pods can mount it. `ca.key` belongs to the active authority.
 */
export function rotationStateToSecretData(state: RotationState): SecretData {
  const { active, nextAuthority } = state;
  const texts = {
    "tls.crt": active?.leaf.certificate,
    "tls.key": active?.leaf.key,
    "ca.crt": caBundle(state),
    "ca.key": active?.authority.key,
    "next-ca.crt": nextAuthority?.certificate,
    "next-ca.key": nextAuthority?.key,
  };
  const present = Object.entries(texts).filter(([, text]) => text);
  return Object.fromEntries(present.map(([name, text = ""]) => [name, encode(text)]));
}

/** Decodes a state. Errors: InvalidState, if the data is damaged or a key doesn't match. */
export function rotationStateFromSecretData(data: SecretData): RotationState {
  const bundle = splitCertificates(decode(data, "ca.crt"));
  const active = decodeActive(data, bundle);
  const nextAuthority = decodePair(data, "next-ca.crt", "next-ca.key");
  const current = [active?.authority.certificate, nextAuthority?.certificate];
  return {
    ...(active ? { active } : {}),
    ...(nextAuthority ? { nextAuthority } : {}),
    formerAuthorities: bundle.filter((certificate) => !current.includes(certificate)),
  };
}

function decodeActive(data: SecretData, bundle: string[]): ActiveCertificates | undefined {
  const leaf = decodePair(data, "tls.crt", "tls.key");
  if (!leaf) return undefined;
  const key = decode(data, "ca.key");
  const names = "ca.crt and ca.key";
  const certificate = bundle.find((candidate) => belongTogether(candidate, key, names));
  if (!certificate) throw invalidState(`${names} don't belong together`);
  return { leaf, authority: { certificate, key } };
}

function decodePair(
  data: SecretData,
  certificateName: string,
  keyName: string,
): CertificateAndKey | undefined {
  const [certificate, key] = [decode(data, certificateName), decode(data, keyName)];
  if (!certificate && !key) return undefined;
  const names = `${certificateName} and ${keyName}`;
  if (belongTogether(certificate, key, names)) return { certificate, key };
  throw invalidState(`${names} don't belong together`);
}

function belongTogether(certificate: string, key: string, names: string): boolean {
  try {
    return keyMatchesCertificate(key, certificate);
  } catch (cause) {
    throw invalidState(`${names} can't be read`, cause);
  }
}

function encode(text: string): string {
  return Buffer.from(text, "utf8").toString("base64");
}

function decode(data: SecretData, name: string): string {
  return Buffer.from(data[name] ?? "", "base64").toString("utf8");
}

function invalidState(why: string, cause?: unknown): PkiError {
  const message = `could not read the serving certificate's Secret: ${why}`;
  return new PkiError("InvalidState", message, { cause });
}
