import { defineError } from "@rookery/errors";

export type PkiErrorCode =
  | "InvalidName"
  | "InvalidLifetime"
  | "InvalidUsage"
  | "InvalidCertificate"
  | "InvalidKey"
  | "InvalidRequest"
  | "InvalidState"
  | "KeyMismatch"
  | "NotAnAuthority"
  | "NotYetValid"
  | "Expired"
  | "Untrusted";

/** The only error of this package. Its message never contains a private key. */
export class PkiError extends defineError(
  (code: PkiErrorCode, message: string, options?: ErrorOptions) => ({
    code,
    message,
    ...options,
  }),
) {}
