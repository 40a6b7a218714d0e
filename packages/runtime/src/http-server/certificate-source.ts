import type { CertificateAndKey } from "@rookery/pki";

/** Where a server gets its certificate from. */
export interface CertificateSource {
  /**
   * Hands out a certificate as soon as there is one, and each one that follows it, until the signal
   * is aborted. What goes wrong is logged and tried again: it rejects for nothing but a mistake.
   */
  run(signal: AbortSignal, serve: (pair: CertificateAndKey) => void | Promise<void>): Promise<void>;
}
