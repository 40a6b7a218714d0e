/**
 * Certificates: authorities, leaves for servers and clients, and their keys. Everything comes and
 * goes as PEM; what is issued is ECDSA on P-256 unless RSA is asked for.
 */
export {
  type AuthorityOptions,
  type CertificateAndKey,
  type CertificateAuthority,
  createCertificateAuthority,
  type LeafOptions,
  loadCertificateAuthority,
} from "./certificate-authority.ts";
export { PkiError, type PkiErrorCode } from "./errors.ts";
export { createKeyPair, type KeyAlgorithm, type KeyPair, publicKeyOf } from "./keys.ts";
export type { CertificateNames } from "./names.ts";
export type { KeyUsage, LeafUsage } from "./usages.ts";
