/**
 * Certificates for a Kubernetes: authorities, leaves for servers and clients, signing requests,
 * kubeconfigs, and a serving certificate that rotates without a refused connection.
 *
 * Everything comes and goes as PEM. Keys are ECDSA on P-256 unless RSA is asked for; keys of
 * others are accepted in any usual form. Reading and verifying use node:crypto alone; the library
 * that encodes certificates is loaded when the first one is made.
 */
export {
  type AuthorityOptions,
  type CertificateAuthority,
  createCertificateAuthority,
  loadCertificateAuthority,
} from "./certificate-authority.ts";
export {
  type CertificateInfo,
  type DistinguishedName,
  parseCertificate,
  splitCertificates,
} from "./certificate-info.ts";
export {
  type CertificateSigningRequest,
  type CertificateSigningRequestInfo,
  type CertificateSigningRequestOptions,
  createCertificateSigningRequest,
  parseCertificateSigningRequest,
} from "./certificate-signing-request.ts";
export { PkiError, type PkiErrorCode } from "./errors.ts";
export type { LeafOptions, SigningOptions } from "./issuer.ts";
export {
  type CertificateAndKey,
  createKeyPair,
  type KeyAlgorithm,
  type KeyPair,
  publicKeyOf,
} from "./keys.ts";
export {
  createKubeconfig,
  type Kubeconfig,
  type KubeconfigCredentials,
  type KubeconfigOptions,
} from "./kubeconfig.ts";
export type { CertificateNames } from "./names.ts";
export { type RenewalOptions, renewalTime } from "./renewal.ts";
export { rotationStateFromSecretData, type SecretData } from "./rotation/secret-data.ts";
export {
  createServingCertificate,
  type ServingCertificate,
  type ServingCertificateOptions,
  type ServingCertificatePorts,
} from "./rotation/serving-certificate.ts";
export type { ActiveCertificates, RotationState } from "./rotation/state.ts";
export type { KeyUsage, LeafUsage } from "./usages.ts";
export type { Validity } from "./validity.ts";
export {
  keyMatchesCertificate,
  type VerificationOptions,
  verifyCertificate,
} from "./verification.ts";
