import type { HttpHeaders, HttpRequest, Interceptor } from "@rookery/http";

/** Browsers cannot set headers of a WebSocket: the API server takes a token as a protocol of this name. */
const tokenProtocol = "base64url.bearer.authorization.k8s.io.";

/** Takes the token out of the protocols that a WebSocket offers. */
export function withoutWebSocketToken(headers: HttpHeaders): HttpHeaders {
  const offered = headers["sec-websocket-protocol"];
  if (offered === undefined || !`${offered}`.includes(tokenProtocol)) return headers;
  const { "sec-websocket-protocol": _, ...rest } = headers;
  const kept = protocolsOf(offered).filter((protocol) => !protocol.startsWith(tokenProtocol));
  return kept.length === 0 ? rest : { ...rest, "sec-websocket-protocol": kept.join(", ") };
}

/** The token in the protocols that a WebSocket offers, if there is one. */
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
 * What an authenticating proxy says about its user. An API server believes it of those whose certificate
 * says that they are such a proxy: if this proxy's own did, an app could be whoever it likes.
 */
const frontProxyHeader = /^x-remote-(?:user|uid|group|extra-.*)$/;
const impersonationHeader = /^impersonate-(?:user|uid|group|extra-.*)$/;

/** The request without headers of an authenticating proxy; the same where it has none. */
export function withoutFrontProxyHeaders(request: HttpRequest): HttpRequest {
  const names = Object.keys(request.headers);
  if (!names.some((name) => frontProxyHeader.test(name))) return request;
  return { ...request, headers: keep(request.headers, (name) => !frontProxyHeader.test(name)) };
}

/** Whether a request asks to act as somebody else. */
export function impersonates({ headers }: HttpRequest): boolean {
  return Object.keys(headers).some((name) => impersonationHeader.test(name));
}

/** A copy with the headers whose names pass. */
export function keep(headers: HttpHeaders, passes: (name: string) => boolean): HttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => passes(name)));
}

/**
 * The API server sees the app: its token passes, and so does whom it asks to act as, which the API
 * server allows by the app's own rights.
 */
export function passAppIdentity(): Interceptor {
  return (next) => (request) => next(withoutFrontProxyHeaders(request));
}
