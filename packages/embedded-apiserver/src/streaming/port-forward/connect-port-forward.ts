import type { Duplex } from "node:stream";
import type { ConnectRequest, ServedConnect } from "@rookery/apiserver";
import type { HttpResponse } from "@rookery/http";
import { badRequestError, quote } from "@rookery/kube";
import { acceptSpdy, isUpgradeRequest } from "../spdy/handshake.ts";
import type { SpdyHeaders } from "../spdy/header-inflater.ts";
import { SpdyConnection, type SpdyStream } from "../spdy/spdy-connection.ts";
import type { FedStream } from "../streams/fed-stream.ts";
import type { StreamingContext } from "../target/pod-target.ts";
import { assertHasHost, podOf, podReference, streamsOf } from "../target/pod-target.ts";
import { WebSocketChannels } from "../websocket/channels.ts";
import { acceptWebSocket, isWebSocketRequest, offeredProtocols } from "../websocket/handshake.ts";
import { messageStream } from "../websocket/web-socket.ts";
import { type ForwardTarget, forwardPort } from "./forward-port.ts";

/** How long the second stream of a pair may take to arrive. */
const pairTimeoutMs = 30_000;

interface Pair {
  data?: FedStream;
  error?: FedStream;
  readonly timer: NodeJS.Timeout;
}

/** Serves a client that opens a data and an error stream for each connection. */
function forwardOverSpdy(peer: Duplex, target: ForwardTarget): void {
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

const webSocketForwardProtocols = ["", "v4.channel.k8s.io", "v4.base64.channel.k8s.io"];

/**
 * Forwards each port over two channels of a WebSocket: data and error. The first message on each is
 * the port.
 */
async function forwardOverWebSocket(
  peer: Duplex,
  { ports, isBase64 }: { readonly ports: readonly number[]; readonly isBase64: boolean },
  target: ForwardTarget,
): Promise<void> {
  const readable = ports.flatMap(() => [true, false]);
  const channels = new WebSocketChannels(peer, { readable, isBase64 });
  const forwarded = ports.map((port, index) => {
    const name = Buffer.alloc(2);
    name.writeUInt16LE(port);
    channels.send(index * 2, name);
    channels.send(index * 2 + 1, name);
    const [data, error] = channels.streams.slice(index * 2);
    return data && error && forwardPort(target, { port, data, error });
  });
  await Promise.all(forwarded);
  channels.close();
}

const spdyProtocol = "portforward.k8s.io";
/** SPDY tunneled through a WebSocket, as newer clients do. */
const tunnelProtocol = `SPDY/3.1+${spdyProtocol}`;

/** pods/portforward. */
export function connectPortForward(context: StreamingContext): ServedConnect {
  return {
    methods: ["GET", "POST"],
    options: queryOptions,
    connect(request) {
      const pod = podOf(context.store, request);
      assertHasHost(pod);
      const streams = streamsOf(context, pod);
      if (!isUpgradeRequest(request.http)) throw badRequestError("Upgrade request required");
      return upgrade(request, { streams, of: podReference(pod) });
    },
  };
}

function queryOptions(query: URLSearchParams) {
  const ports = query.getAll("ports").flatMap((text) => text.split(",").map(readPort));
  return ports.length > 0 ? { ports } : {};
}

function readPort(text: string): number {
  const parsing = `strconv.ParseUint: parsing ${quote(text)}`;
  const refuse = (why: string) => badRequestError(`cannot convert to []int32: ${parsing}: ${why}`);
  if (!/^\d+$/.test(text)) throw refuse("invalid syntax");
  if (Number(text) > 0xffff) throw refuse("value out of range");
  return Number(text);
}

function upgrade(request: ConnectRequest, target: ForwardTarget): HttpResponse {
  const { http, options } = request;
  if (!isWebSocketRequest(http)) {
    return acceptSpdy(request, [spdyProtocol], (peer) => forwardOverSpdy(peer, target));
  }
  if (offeredProtocols(http).includes(tunnelProtocol)) {
    return acceptWebSocket(request, [tunnelProtocol], (peer) =>
      forwardOverSpdy(messageStream(peer), target),
    );
  }
  const ports = neededPorts(options);
  return acceptWebSocket(request, webSocketForwardProtocols, (peer, protocol) => {
    const isBase64 = protocol.includes("base64");
    void forwardOverWebSocket(peer, { ports, isBase64 }, target);
  });
}

/** Channels are numbered by port, so that ports are required. */
function neededPorts({ ports = [] }: { readonly ports?: unknown }): readonly number[] {
  const numbers = ports as readonly number[];
  if (numbers.length === 0) throw badRequestError('query parameter "ports" is required');
  if (numbers.includes(0)) throw badRequestError('port "0" must be > 0');
  if (numbers.length > maxPorts)
    throw badRequestError(`at most ${maxPorts} ports can be forwarded`);
  return numbers;
}

/** Channel numbers have one byte. */
const maxPorts = 127;
