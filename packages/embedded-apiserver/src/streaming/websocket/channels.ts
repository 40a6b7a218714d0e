import type { Duplex } from "node:stream";
import { ProtocolError } from "../../errors.ts";
import { FedStream } from "../streams/fed-stream.ts";
import { type MessagePart, opcodes } from "./frame-reader.ts";
import { WebSocket } from "./web-socket.ts";

export interface ChannelOptions {
  /** Whether the client may send on each channel; other data is dropped. */
  readonly readable: readonly boolean[];
  /** Whether messages are text: the channel's digit and base64. */
  readonly isBase64: boolean;
  /** Whether the client can close a channel, as in v5 of the protocol. */
  readonly hasCloseSignal?: boolean;
}

/** In place of a channel number: closes the channel that follows. */
const closeSignal = 255;
/** The limit of buffered messages, as in Go's server. */
const maxMessageLength = 32 * 1024 * 1024;

/** Kubernetes' channels: WebSocket messages that start with a channel number. */
export class WebSocketChannels {
  readonly streams: readonly FedStream[];
  readonly #socket: WebSocket;
  readonly #options: ChannelOptions;
  /** The state of the current message. */
  #channel: number | undefined;
  #pieces: Buffer[] = [];
  #length = 0;

  constructor(peer: Duplex, options: ChannelOptions) {
    this.#options = options;
    this.streams = options.readable.map((isReadable, channel) => {
      const stream = this.#createStream(channel);
      if (!isReadable) stream.endFeed();
      return stream;
    });
    this.#socket = new WebSocket(
      peer,
      (part) => this.#take(part),
      () => this.#forget(),
    );
    this.gone.addEventListener("abort", () => this.#forget());
  }

  get gone(): AbortSignal {
    return this.#socket.gone;
  }

  /** Sends a message on a channel, also an empty one. */
  send(channel: number, data: Buffer, done?: (error?: Error | null) => void): void {
    if (this.#options.isBase64) {
      const text = Buffer.from(`${channel}${data.toString("base64")}`);
      this.#socket.send(opcodes.text, [text], done);
    } else this.#socket.send(opcodes.binary, [Buffer.from([channel]), data], done);
  }

  close(): void {
    this.#forget();
    this.#socket.close();
  }

  #createStream(channel: number): FedStream {
    return new FedStream({
      send: (chunk, done) => this.send(channel, chunk, done),
      sendEnd: (done) => done(),
      onClose: () => {},
    });
  }

  #take(part: MessagePart): Promise<void> | undefined {
    const { isBase64 } = this.#options;
    if (part.isFirst) this.#begin();
    if (isBase64 || this.#channel === undefined) return this.#collect(part);
    if (this.#channel === closeSignal && this.#options.hasCloseSignal) return this.#collect(part);
    return this.streams[this.#channel]?.feed(part.data);
  }

  #begin(): void {
    this.#channel = undefined;
    this.#pieces = [];
    this.#length = 0;
  }

  /** Buffers parts until the channel is known. */
  #collect({ data, isLast }: MessagePart): Promise<void> | undefined {
    this.#pieces.push(data);
    this.#length += data.length;
    if (this.#length > maxMessageLength) throw new ProtocolError("a message is too long");
    if (this.#options.isBase64) return isLast ? this.#takeText() : undefined;
    const bytes = Buffer.concat(this.#pieces);
    this.#channel = bytes[0];
    if (this.#channel === undefined) return undefined;
    if (this.#channel === closeSignal && this.#options.hasCloseSignal) {
      if (isLast) this.#endChannel(bytes);
      return undefined;
    }
    return this.streams[this.#channel]?.feed(bytes.subarray(1));
  }

  #takeText(): Promise<void> | undefined {
    const text = Buffer.concat(this.#pieces).toString("latin1");
    const stream = this.streams[text.charCodeAt(0) - 48];
    const isBase64 = /^[A-Za-z0-9+/]*={0,2}$/.test(text.slice(1));
    return isBase64 ? stream?.feed(Buffer.from(text.slice(1), "base64")) : undefined;
  }

  #endChannel(bytes: Buffer): void {
    const stream = this.streams[bytes[1] ?? -1];
    if (bytes.length !== 2 || !stream) throw new ProtocolError("a channel to end is not there");
    stream.endFeed();
  }

  #forget(): void {
    for (const stream of this.streams) stream.destroy();
  }
}
