/** A handler was asked without the part of the pipeline that comes before it. */
export class MisroutedRequestError extends Error {
  readonly code = "MisroutedRequest";

  constructor(missing: string) {
    super(`could not serve the request: it carries no ${missing}; put the pipeline before it`);
    this.name = "MisroutedRequestError";
  }
}

/** API groups that can't be served as they are declared. Names every problem. */
export class InvalidGroupError extends Error {
  readonly code = "InvalidGroup";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`could not serve the API groups: ${problems.join("; ")}`);
    this.name = "InvalidGroupError";
    this.problems = problems;
  }
}

/** The ConfigMap extension-apiserver-authentication does not say what it should. */
export class AuthenticationConfigError extends Error {
  readonly code = "InvalidAuthenticationConfig";
  readonly key: string;

  constructor(key: string, why: string, options?: ErrorOptions) {
    super(
      `could not read ${key} of ConfigMap kube-system/extension-apiserver-authentication: ${why}; kube-apiserver writes it when it runs with --requestheader-client-ca-file`,
      options,
    );
    this.name = "AuthenticationConfigError";
    this.key = key;
  }
}

/** A credential that was shown and is not good: the request is not authenticated as anyone else. */
export class AuthenticationError extends Error {
  readonly code = "Unauthenticated";

  constructor(why: string, options?: ErrorOptions) {
    super(`could not authenticate the request: ${why}`, options);
    this.name = "AuthenticationError";
  }
}

/** An authorizer that could not decide. */
export class AuthorizationError extends Error {
  readonly code = "AuthorizationFailed";

  constructor(options: { readonly cause: unknown }) {
    const { cause } = options;
    const why = cause instanceof Error ? cause.message : String(cause);
    super(`could not authorize the request: ${why}`, options);
    this.name = "AuthorizationError";
  }
}

/** A health check that failed; clients are not told why. */
export class UnhealthyError extends Error {
  readonly code = "Unhealthy";
  readonly check: string;

  constructor(check: string, options: { readonly cause: unknown }) {
    const { cause } = options;
    const why = cause instanceof Error ? cause.message : String(cause);
    super(`could not pass health check ${check}: ${why}`, options);
    this.name = "UnhealthyError";
    this.check = check;
  }
}
