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
export class PkiError extends Error {
  override readonly name = "PkiError";
  readonly code: PkiErrorCode;

  constructor(code: PkiErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
