import type { Duplex } from "node:stream";
import { WebSocketChannels } from "../websocket/channels.ts";
import { type ForwardTarget, forwardPort } from "./forward-port.ts";

export const webSocketForwardProtocols = ["", "v4.channel.k8s.io", "v4.base64.channel.k8s.io"];

/**
 * Serves a client that forwards one connection for each port, on two channels: data and error. The
 * first message on each is the port.
 */
export async function forwardOverWebSocket(
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
