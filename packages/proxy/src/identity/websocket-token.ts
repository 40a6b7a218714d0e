import type { HttpHeaders } from "@rookery/http";

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
