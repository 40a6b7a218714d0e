import { randomBytes } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http2";
import { receivedHeaders } from "./headers.ts";
import type { HttpRequest } from "./message.ts";
import { splitTarget } from "./request-target.ts";

export interface Http2RequestHead
  extends Pick<HttpRequest, "method" | "path" | "query" | "headers"> {
  /** Whether it asks to switch the protocol. */
  readonly isConnect: boolean;
}

/**
 * The head of a request in the one form that handlers see. An extended CONNECT (RFC 8441) becomes
 * the request that HTTP/1.1 has for it, so that a handler need not know both. Undefined where
 * there is no such form.
 */
export function http2RequestHead(
  pseudo: IncomingHttpHeaders,
  raw: readonly string[],
): Http2RequestHead | undefined {
  const { ":method": method = "", ":path": target = "", ":protocol": protocol } = pseudo;
  const split = splitTarget(target);
  if (!split || !/^[A-Z][A-Z-]*$/.test(method)) return undefined;
  const headers = receivedHeaders(raw);
  headers.host ??= pseudo[":authority"] ?? "";
  if (protocol === undefined) return { method, ...split, headers, isConnect: false };
  headers.connection = "Upgrade";
  headers.upgrade = String(protocol);
  // HTTP/2 needs no such handshake; a server behind us that speaks HTTP/1.1 does.
  if (protocol === "websocket") headers["sec-websocket-key"] ??= randomBytes(16).toString("base64");
  return { method: "GET", ...split, headers, isConnect: true };
}
