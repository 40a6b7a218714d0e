/**
 * Certificates for Kubernetes: authorities, leaves for servers and clients, signing requests,
 * kubeconfigs, and a serving certificate that rotates without rejected connections.
 *
 * All inputs and outputs are PEM. New keys are ECDSA on P-256 by default. Parsing and verifying use
 * node:crypto alone; the library that encodes certificates is loaded at the first use.
 */
export {
  type CertificateAuthority,
  createCertificateAuthority,
  loadCertificateAuthority,
} from "./certificate-authority.ts";
export { type CertificateInfo, parseCertificate, splitCertificates } from "./certificate-info.ts";
export {
  type CertificateSigningRequestInfo,
  createCertificateSigningRequest,
  parseCertificateSigningRequest,
} from "./certificate-signing-request.ts";
export { PkiError, type PkiErrorCode } from "./errors.ts";
export type { LeafOptions } from "./issuer.ts";
export { type CertificateAndKey, createKeyPair, type KeyAlgorithm, publicKeyOf } from "./keys.ts";
export { createKubeconfig } from "./kubeconfig.ts";
export type { CertificateNames } from "./names.ts";
export {
  createServingCertificate,
  type ServingCertificate,
  type ServingCertificateOptions,
} from "./rotation/serving-certificate.ts";
export type { SecretData } from "./rotation/state.ts";
export type { KeyUsage } from "./usages.ts";
export { renewalTime } from "./validity.ts";
export { keyMatchesCertificate, verifyCertificate } from "./verification.ts";
