import type { HttpHeaders, HttpRequest, Interceptor } from "@rookery/http";

/** The subprotocol with which browsers, which cannot set headers, send a token. */
const tokenProtocol = "base64url.bearer.authorization.k8s.io.";

/** Removes the token from the offered subprotocols. */
export function withoutWebSocketToken(headers: HttpHeaders): HttpHeaders {
  const offered = headers["sec-websocket-protocol"];
  if (offered === undefined || !`${offered}`.includes(tokenProtocol)) return headers;
  const { "sec-websocket-protocol": _, ...rest } = headers;
  const kept = protocolsOf(offered).filter((protocol) => !protocol.startsWith(tokenProtocol));
  return kept.length === 0 ? rest : { ...rest, "sec-websocket-protocol": kept.join(", ") };
}

export function webSocketToken(headers: HttpHeaders): string | undefined {
  const offered = headers["sec-websocket-protocol"];
  if (offered === undefined) return undefined;
  const found = protocolsOf(offered).find((protocol) => protocol.startsWith(tokenProtocol));
  return found && Buffer.from(found.slice(tokenProtocol.length), "base64url").toString();
}

function protocolsOf(offered: string | readonly string[]): string[] {
  return `${offered}`.split(",").map((protocol) => protocol.trim());
}

/**
 * Headers of an authenticating proxy. An API server trusts them from the certificate of such a
 * proxy; if this proxy has one, an app could impersonate anyone.
 */
const frontProxyHeader = /^x-remote-(?:user|uid|group|extra-.*)$/;
const impersonationHeader = /^impersonate-(?:user|uid|group|extra-.*)$/;

/** Removes the headers; returns the same request without them. */
export function withoutFrontProxyHeaders(request: HttpRequest): HttpRequest {
  const names = Object.keys(request.headers);
  if (!names.some((name) => frontProxyHeader.test(name))) return request;
  return { ...request, headers: keep(request.headers, (name) => !frontProxyHeader.test(name)) };
}

export function impersonates({ headers }: HttpRequest): boolean {
  return Object.keys(headers).some((name) => impersonationHeader.test(name));
}

export function keep(headers: HttpHeaders, passes: (name: string) => boolean): HttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => passes(name)));
}

/**
 * The API server sees the app: its token passes, and its impersonation headers, subject to its own
 * rights.
 */
export function passAppIdentity(): Interceptor {
  return (next) => (request) => next(withoutFrontProxyHeaders(request));
}
