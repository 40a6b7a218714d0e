import type { HttpHeaders, Interceptor } from "@rookery/http";
import { unauthorizedError } from "@rookery/kube";
import type { Authenticator } from "../authentication/authenticator.ts";
import {
  type RequestHeaderConfig,
  withoutRequestHeaders,
} from "../authentication/request-header.ts";
import { userKey } from "../request/request-context.ts";
import type { UserInfo } from "../request/user.ts";
import { auditRecordKey } from "./audit.ts";
import { describeRequest, type OnError } from "./recovery.ts";

export interface AuthenticationOptions {
  readonly authenticate: Authenticator;
  /** Front-proxy headers to remove beside the standard ones. */
  readonly requestHeader: () => RequestHeaderConfig | undefined;
  readonly onError: OnError;
}

/**
 * Authenticates, or rejects with 401. Removes credentials and front-proxy headers from the request.
 */
export function withAuthentication(options: AuthenticationOptions): Interceptor {
  const { authenticate, onError } = options;
  return (next) => async (request) => {
    let user: UserInfo | undefined;
    try {
      const answer = authenticate(request);
      user = answer instanceof Promise ? await answer : answer;
    } catch (error) {
      onError(error, describeRequest(request));
    }
    if (user === undefined) throw unauthorizedError("Unauthorized");
    const record = request.context.get(auditRecordKey);
    if (record) record.user = user;
    const headers = withoutCredentials(request.headers, options.requestHeader());
    return next({ ...request, headers, context: request.context.with(userKey, user) });
  };
}

function withoutCredentials(
  headers: HttpHeaders,
  config: RequestHeaderConfig | undefined,
): HttpHeaders {
  const unforged = withoutRequestHeaders(headers, config);
  if (unforged.authorization === undefined) return unforged;
  const { authorization: _, ...rest } = unforged;
  return rest;
}
