import type { Duplex } from "node:stream";
import type { SpdyHeaders } from "../spdy/header-inflater.ts";
import { SpdyConnection, type SpdyStream } from "../spdy/spdy-connection.ts";
import type { FedStream } from "../streams/fed-stream.ts";
import { type ForwardTarget, forwardPort } from "./forward-port.ts";

/** How long the second stream of a pair may take to arrive. */
const pairTimeoutMs = 30_000;

interface Pair {
  data?: FedStream;
  error?: FedStream;
  readonly timer: NodeJS.Timeout;
}

/** Serves a client that opens a data and an error stream for each connection. */
export function forwardOverSpdy(peer: Duplex, target: ForwardTarget): void {
  const pairs = new Map<string, Pair>();
  const connection = new SpdyConnection(peer, {
    accepts: isPortStream,
    onStream(opened) {
      const id = requestId(opened);
      const pair = pairs.get(id) ?? { timer: setTimeout(() => expire(id), pairTimeoutMs) };
      pairs.set(id, pair);
      if (!add(pair, opened)) return refuse(pair, opened, id);
      const { data, error } = pair;
      if (!data || !error) return;
      clearTimeout(pair.timer);
      pairs.delete(id);
      void forwardPort(target, { port: portOf(opened.headers), data, error });
    },
  });
  const expire = (id: string) => {
    const pair = pairs.get(id);
    pairs.delete(id);
    pair?.error?.end(`(request=${id}) timed out waiting for streams`);
    pair?.data?.destroy();
  };
  connection.gone.addEventListener("abort", () => {
    for (const { timer } of pairs.values()) clearTimeout(timer);
  });
}

function typeOf(headers: SpdyHeaders): string {
  return headers.get("streamtype") ?? "";
}

function portOf(headers: SpdyHeaders): number {
  const text = headers.get("port") ?? "";
  return /^\d{1,5}$/.test(text) ? Number(text) : 0;
}

function isPortStream(headers: SpdyHeaders): boolean {
  const port = portOf(headers);
  return port > 0 && port < 65_536 && ["data", "error"].includes(typeOf(headers));
}

/** false if the pair already has such a stream. */
function add(pair: Pair, { headers, stream }: SpdyStream): boolean {
  const type = typeOf(headers) === "data" ? "data" : "error";
  if (pair[type]) return false;
  pair[type] = stream;
  // Nothing is sent on it, but its end must be noticed.
  if (type === "error") stream.resume();
  return true;
}

function refuse(pair: Pair, { headers, stream }: SpdyStream, id: string): void {
  const why = `${typeOf(headers)} stream already assigned`;
  pair.error?.write(`error processing stream for request ${id}: ${why}`);
  stream.destroy();
}

/** Old clients send no request IDs; their error stream comes right before the data stream. */
function requestId({ id, headers }: SpdyStream): string {
  const fallback = typeOf(headers) === "error" ? id : id - 2;
  return headers.get("requestid") || String(fallback);
}
