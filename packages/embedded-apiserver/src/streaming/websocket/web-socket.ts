import type { Duplex } from "node:stream";
import { FedStream, waitForRoom } from "../streams/fed-stream.ts";
import { PeerWriter, servePeer } from "../streams/peer-writer.ts";
import { type ControlFrame, FrameReader, type MessagePart, opcodes } from "./frame-reader.ts";

const closeCodes = { normal: 1000, protocolError: 1002 } as const;

/**
 * Receives a part of a message; returns a promise if the client has to wait. Throws a
 * ProtocolError.
 */
export type OnPart = (part: MessagePart) => Promise<void> | undefined;

/** The server side of a WebSocket after the handshake. */
export class WebSocket {
  readonly #writer: PeerWriter;
  readonly #onPart: OnPart;
  readonly #onEnd: () => void;
  #isClosed = false;

  /** `onEnd` is called when the client has ended. */
  constructor(peer: Duplex, onPart: OnPart, onEnd: () => void) {
    this.#writer = new PeerWriter(peer);
    this.#onPart = onPart;
    this.#onEnd = onEnd;
    const reader = new FrameReader();
    void servePeer(peer, (chunk) => reader.read(chunk), {
      handle: (frame) => this.#handle(frame),
      close: () => {
        this.#onEnd();
        this.close(closeCodes.protocolError);
      },
    });
  }

  /** Aborted when the client is gone. */
  get gone(): AbortSignal {
    return this.#writer.gone;
  }

  /** Sends a message; the callback requests the next one. */
  send(
    opcode: number,
    parts: readonly Uint8Array[],
    done: (error?: Error | null) => void = () => {},
  ): void {
    const length = parts.reduce((sum, { byteLength }) => sum + byteLength, 0);
    this.#writer.pass([frameHead(opcode, length), ...parts], done);
  }

  close(code: number = closeCodes.normal): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const payload = Buffer.alloc(2);
    payload.writeUInt16BE(code);
    this.#writer.end(frameHead(opcodes.close, payload.length), payload);
  }

  #handle(frame: ControlFrame | MessagePart): Promise<void> | undefined {
    if (this.#isClosed) return undefined;
    return frame.kind === "part" ? this.#take(frame) : this.#control(frame);
  }

  #take(part: MessagePart): Promise<void> | undefined {
    const room = this.#onPart(part);
    const probe = () => this.send(opcodes.ping, []);
    return room && waitForRoom(room, probe);
  }

  #control({ opcode, payload }: ControlFrame): Promise<void> | undefined {
    if (opcode === opcodes.close) {
      this.#onEnd();
      this.close();
    }
    if (opcode !== opcodes.ping) return undefined;
    return this.#writer.send(frameHead(opcodes.pong, payload.length), payload);
  }
}

function frameHead(opcode: number, length: number): Buffer {
  const first = 0x80 | opcode;
  if (length < 126) return Buffer.from([first, length]);
  const isShort = length < 0x10000;
  const head = Buffer.alloc(isShort ? 4 : 10);
  head[0] = first;
  head[1] = isShort ? 126 : 127;
  if (isShort) head.writeUInt16BE(length, 2);
  else head.writeBigUInt64BE(BigInt(length), 2);
  return head;
}

/** The binary messages of a WebSocket as one byte stream. */
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
