import { createHash } from "node:crypto";
import type { Duplex } from "node:stream";
import type { ConnectRequest } from "@rookery/apiserver";
import { writeHttpError } from "@rookery/apiserver";
import { type HttpRequest, type HttpResponse, headerValue } from "@rookery/http";
import { endWithServer } from "../streams/peer-writer.ts";

const guid = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

export function isWebSocketRequest({ headers }: HttpRequest): boolean {
  return headerValue(headers, "upgrade")?.toLowerCase() === "websocket";
}

/** The client's subprotocols, in order. */
export function offeredProtocols({ headers }: HttpRequest): string[] {
  const lines = [headers["sec-websocket-protocol"] ?? []].flat();
  return lines.flatMap((line) => line.split(",")).map((each) => each.trim());
}

/**
 * Upgrades to a WebSocket with the client's first supported subprotocol; "" is none. Errors are
 * those of Go's servers.
 */
export function acceptWebSocket(
  { http: request, draining }: ConnectRequest,
  protocols: readonly string[],
  use: (peer: Duplex, protocol: string) => void,
): HttpResponse {
  const key = headerValue(request.headers, "sec-websocket-key") ?? "";
  const version = headerValue(request.headers, "sec-websocket-version");
  if (!/^[A-Za-z0-9+/]{22}==$/.test(key)) return writeHttpError(400, "missing or bad key");
  if (version !== undefined && version !== "13") {
    const supported = { "sec-websocket-version": "13" };
    return writeHttpError(400, "missing or bad WebSocket Version", supported);
  }
  const offered = offeredProtocols(request);
  const wanted = offered.length === 0 ? [""] : offered;
  const protocol = wanted.find((each) => protocols.includes(each));
  if (protocol === undefined) {
    const names = (list: readonly string[]) => `[${list.join(" ")}]`;
    const why = `${names(offered)}; supports ${names(protocols)}`;
    return writeHttpError(403, `requested protocol(s) are not supported: ${why}`);
  }
  const accept = createHash("sha1").update(`${key}${guid}`).digest("base64");
  return {
    status: 101,
    headers: {
      upgrade: "websocket",
      "sec-websocket-accept": accept,
      ...(protocol !== "" && { "sec-websocket-protocol": protocol }),
    },
    upgrade: (peer) => {
      endWithServer(peer, draining);
      use(peer, protocol);
    },
  };
}
