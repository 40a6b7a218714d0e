import { createHash, timingSafeEqual } from "node:crypto";
import {
  type HttpRequest,
  headerValue,
  type Interceptor,
  isLoopback,
  peerKey,
} from "@rookery/http";
import { forbiddenError, type StatusError, unauthorizedError } from "@rookery/kube";
import { statusResponse } from "../status-response.ts";
import {
  impersonates,
  keep,
  webSocketToken,
  withoutFrontProxyHeaders,
  withoutWebSocketToken,
} from "./untrusted-headers.ts";

/** How apps authenticate to use the proxy's identity; without any, only loopback is allowed. */
export interface ProxyIdentityOptions {
  /** The required bearer token. */
  readonly token?: string;
  /** Whether a certificate of the listener's client authorities is sufficient. */
  readonly acceptCertificates?: boolean;
}

/**
 * The API server sees the proxy, and no identity of the app. An unauthenticated client gets a 401.
 * Impersonation is rejected: without its headers a request would have more rights than asked for,
 * with them the app could be anyone that the proxy may impersonate.
 */
export function actAsProxy(options: ProxyIdentityOptions): Interceptor {
  const mayUse = createGuard(options);
  return (next) => (request) => {
    const refusal = mayUse(request) ?? refuseImpersonation(request);
    if (refusal) return statusResponse(refusal);
    const { headers } = withoutFrontProxyHeaders(request);
    const anonymous = keep(withoutWebSocketToken(headers), (name) => name !== "authorization");
    return next({ ...request, headers: anonymous });
  };
}

type Guard = (request: HttpRequest) => StatusError | undefined;

function createGuard({ token, acceptCertificates = false }: ProxyIdentityOptions): Guard {
  if (token === undefined && !acceptCertificates) return refuseForeignHosts;
  const matches = token === undefined ? () => false : tokenMatcher(token);
  return (request) => {
    const { certificate } = request.context.get(peerKey) ?? {};
    if (acceptCertificates && certificate?.verified) return undefined;
    return matches(tokenOf(request))
      ? undefined
      : unauthorizedError("Unauthorized: this proxy needs the credentials that it has given out");
  };
}

/** A web page may use its own name for loopback (DNS rebinding), which is in the Host header. */
function refuseForeignHosts({ headers }: HttpRequest): StatusError | undefined {
  const host = URL.parse(`http://${headerValue(headers, "host") ?? ""}`)?.hostname ?? "";
  if (isLoopback(host)) return undefined;
  return forbidden("without credentials this proxy is for clients that ask for localhost");
}

function refuseImpersonation(request: HttpRequest): StatusError | undefined {
  if (!impersonates(request)) return undefined;
  return forbidden("this proxy asks with its own identity, and impersonates nobody");
}

function forbidden(why: string): StatusError {
  return forbiddenError({ group: "", resource: "" }, "", why);
}

function tokenOf({ headers }: HttpRequest): string {
  const [, token] = /^Bearer +(.+)$/i.exec(headerValue(headers, "authorization") ?? "") ?? [];
  return token ?? webSocketToken(headers) ?? "";
}

/** Compares digests, in constant time. */
function tokenMatcher(token: string): (given: string) => boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  const expected = digest(token);
  return (given) => timingSafeEqual(digest(given), expected);
}
