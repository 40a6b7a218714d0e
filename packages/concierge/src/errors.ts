/** A check of an object failed; its reason becomes that of the condition. */
export class CheckError extends Error {
  readonly code = "Check";
  override readonly name = "CheckError";
  readonly reason: string;

  constructor(reason: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** A token that is not taken. The message is for the log of the concierge, and holds no token. */
export class TokenRefusedError extends Error {
  readonly code = "TokenRefused";
  override readonly name = "TokenRefusedError";

  constructor(why: string, options?: ErrorOptions) {
    super(`could not take the token: ${why}`, options);
  }
}

/** A server outside of the cluster's API gave no answer that can be used. */
export class OutboundError extends Error {
  readonly code = "Outbound";
  override readonly name = "OutboundError";
  readonly url: string;

  constructor(request: { readonly method: string; readonly url: string }, why: string) {
    super(`could not ${request.method} ${request.url}: ${why}`);
    this.url = request.url;
  }
}

/** No strategy can sign a client certificate. */
export class SigningError extends Error {
  readonly code = "Signing";
  override readonly name = "SigningError";

  constructor(why: string, options?: ErrorOptions) {
    super(`could not sign a client certificate: ${why}`, options);
  }
}

/** `rookery login` got no credential; the message says what to do. */
export class LoginError extends Error {
  readonly code = "Login";
  override readonly name = "LoginError";

  constructor(why: string, options?: ErrorOptions) {
    super(`could not log in: ${why}`, options);
  }
}

/** Manifests can't be rendered for what was asked for; all problems at once. */
export class InstallError extends Error {
  readonly code = "Install";
  override readonly name = "InstallError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`could not render the concierge: ${problems.join("; ")}`);
    this.problems = problems;
  }
}
