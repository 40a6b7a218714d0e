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

/** How an app shows that it may use the proxy's identity; without any of it, it has to be on loopback. */
export interface ProxyIdentityOptions {
  /** The bearer token that it has to send. */
  readonly token?: string;
  /** Whether a certificate that leads to the listener's client authorities will do. */
  readonly acceptCertificates?: boolean;
}

/**
 * The API server sees the proxy: what the app says about itself goes no further. Who may not use the
 * proxy gets a 401. A request to act as somebody else is refused: without its headers it would be done
 * with more rights than it asked for, with them the app could be whoever the proxy may be.
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

/** A web page can send a browser to loopback under a name of its own: such a name is in the Host header. */
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

/** Compares digests, which takes the same time however much of the token is right. */
function tokenMatcher(token: string): (given: string) => boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  const expected = digest(token);
  return (given) => timingSafeEqual(digest(given), expected);
}
