import type { Duplex } from "node:stream";
import type { ConnectRequest, ServedConnect } from "@rookery/apiserver";
import type { HttpResponse } from "@rookery/http";
import { badRequestError, quote } from "@rookery/kube";
import { acceptSpdy, isUpgradeRequest } from "../spdy/handshake.ts";
import type { StreamingContext } from "../target/pod-target.ts";
import { assertHasHost, podOf, podReference, streamsOf } from "../target/pod-target.ts";
import { WebSocketChannels } from "../websocket/channels.ts";
import { acceptWebSocket, isWebSocketRequest, offeredProtocols } from "../websocket/handshake.ts";
import { messageStream } from "../websocket/web-socket.ts";
import { type ForwardTarget, forwardPort } from "./forward-port.ts";
import { forwardOverSpdy } from "./spdy-forward.ts";

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
