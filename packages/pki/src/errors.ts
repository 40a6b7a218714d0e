import { defineError } from "@rookery/errors";

/** What went wrong, for callers that turn it into a condition or a Status. */
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

/** The only error that this package throws. Its message never holds a private key. */
export class PkiError extends defineError(
  (code: PkiErrorCode, message: string, options?: ErrorOptions) => ({
    code,
    message,
    ...options,
  }),
) {}
