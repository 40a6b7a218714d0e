import type { Duplex } from "node:stream";
import { FedStream } from "../streams/fed-stream.ts";
import { opcodes } from "./frame-reader.ts";
import { WebSocket } from "./web-socket.ts";

/** The bytes of all binary messages of a WebSocket, one after another, as a stream. */
export function messageStream(peer: Duplex): Duplex {
  const stream: FedStream = new FedStream({
    send: (chunk, done) => socket.send(opcodes.binary, [chunk], done),
    sendEnd: (done) => {
      socket.close();
      done();
    },
    onClose: () => socket.close(),
  });
  const socket: WebSocket = new WebSocket(
    peer,
    ({ data }) => stream.feed(data),
    () => stream.endFeed(),
  );
  socket.gone.addEventListener("abort", () => stream.destroy());
  return stream;
}
