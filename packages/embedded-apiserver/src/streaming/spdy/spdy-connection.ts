import type { Duplex } from "node:stream";
import { ProtocolError } from "../../errors.ts";
import { FedStream, waitForRoom } from "../streams/fed-stream.ts";
import { PeerWriter, servePeer } from "../streams/peer-writer.ts";
import {
  type ControlFrame,
  cancel,
  type DataPart,
  dataHead,
  type Frame,
  FrameReader,
  finFlag,
  frameTypes,
  goAway,
  ping,
  protocolError,
  refusedStream,
  rstStream,
  synReply,
} from "./frame-reader.ts";
import { HeaderInflater, readHeaderBlock, type SpdyHeaders } from "./header-inflater.ts";

/** Bounds the memory of concurrent streams. */
const maxStreams = 2_048;
const maxFrameLength = 1024 * 1024;

export interface SpdyStream {
  readonly id: number;
  readonly headers: SpdyHeaders;
  readonly stream: FedStream;
}

export interface SpdyHandlers {
  /** Whether to accept a stream; others are reset. */
  readonly accepts: (headers: SpdyHeaders) => boolean;
  readonly onStream: (stream: SpdyStream) => void;
}

/**
 * The server side of SPDY/3.1 as Kubernetes clients use it: clients open all streams, and there are
 * no flow control windows. An unread stream blocks the connection.
 */
export class SpdyConnection {
  readonly #writer: PeerWriter;
  readonly #handlers: SpdyHandlers;
  readonly #inflater = new HeaderInflater();
  readonly #streams = new Map<number, FedStream>();
  #lastStreamId = 0;
  #hasReplied = false;
  #pings = 0;
  #isClosed = false;

  constructor(peer: Duplex, handlers: SpdyHandlers) {
    this.#writer = new PeerWriter(peer);
    this.#handlers = handlers;
    this.gone.addEventListener("abort", () => this.#forget());
    const reader = new FrameReader();
    void servePeer(peer, (chunk) => reader.read(chunk), {
      handle: (frame) => this.#handle(frame),
      close: () => this.close(),
    });
  }

  /** Aborted when the peer is gone. */
  get gone(): AbortSignal {
    return this.#writer.gone;
  }

  /** Ends open streams and sends GOAWAY. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#forget();
    this.#writer.end(goAway(this.#lastStreamId));
  }

  /** Returns a promise if the peer has to wait. */
  #handle(frame: Frame): Promise<void> | undefined {
    if (frame.kind === "data") return this.#feed(frame);
    const { type, payload, flags } = frame;
    switch (type) {
      case frameTypes.synStream:
        return this.#open(frame);
      case frameTypes.synReply:
      case frameTypes.headers:
        // Unused, but later headers depend on their compression state.
        return this.#inflateFrom(payload, 4).then(() => {});
      case frameTypes.rstStream:
        this.#streams.get(numberAt(payload, 0))?.destroy();
        return undefined;
      case frameTypes.ping:
        return this.#answerPing(numberAt(payload, 0), flags);
      case frameTypes.goAway:
        this.close();
        return undefined;
      case frameTypes.settings:
      case frameTypes.windowUpdate:
        return undefined;
      default:
        throw new ProtocolError(`there is no frame of type ${type}`);
    }
  }

  #feed({ streamId, data, isLast }: DataPart): Promise<void> | undefined {
    const stream = this.#streams.get(streamId);
    const room = stream?.feed(data);
    if (isLast) stream?.endFeed();
    return room && waitForRoom(room, () => this.#probe());
  }

  async #open({ payload, flags }: ControlFrame): Promise<void> {
    const id = numberAt(payload, 0) & 0x7fffffff;
    const headers = readHeaderBlock(await this.#inflateFrom(payload, 10));
    if (this.#isClosed) return;
    if (id % 2 === 0 || id <= this.#lastStreamId) {
      await this.#writer.send(rstStream(id, protocolError));
      return;
    }
    this.#lastStreamId = id;
    if (this.#streams.size >= maxStreams || !this.#handlers.accepts(headers)) {
      await this.#writer.send(rstStream(id, refusedStream));
      return;
    }
    const stream = this.#createStream(id);
    if ((flags & finFlag) !== 0) stream.endFeed();
    const room = this.#writer.send(synReply(id, !this.#hasReplied));
    this.#hasReplied = true;
    this.#handlers.onStream({ id, headers, stream });
    await room;
  }

  #createStream(id: number): FedStream {
    const stream = new FedStream({
      send: (chunk, done) => this.#writer.pass(dataFrames(id, chunk), done),
      sendEnd: (done) => this.#writer.pass([dataHead(id, 0, true)], done),
      onClose: (isWhole) => {
        this.#streams.delete(id);
        if (!isWhole) void this.#writer.send(rstStream(id, cancel));
      },
    });
    this.#streams.set(id, stream);
    return stream;
  }

  #inflateFrom(payload: Buffer, offset: number): Promise<Buffer> {
    if (payload.length < offset) throw new ProtocolError("a frame is cut off");
    return this.#inflater.inflate(payload.subarray(offset));
  }

  /** Odd pings are the client's; even ones are replies to ours. */
  #answerPing(id: number, flags: number): Promise<void> | undefined {
    if (id === 0 || flags !== 0) throw new ProtocolError("a ping has no number");
    return id % 2 === 1 ? this.#writer.send(ping(id)) : undefined;
  }

  #probe(): void {
    this.#pings += 1;
    void this.#writer.send(ping(this.#pings * 2));
  }

  #forget(): void {
    for (const stream of this.#streams.values()) stream.destroy();
    this.#inflater.destroy();
  }
}

function dataFrames(id: number, chunk: Buffer): Uint8Array[] {
  const frames: Uint8Array[] = [];
  for (let start = 0; start < chunk.length; start += maxFrameLength) {
    const part = chunk.subarray(start, start + maxFrameLength);
    frames.push(dataHead(id, part.length, false), part);
  }
  return frames;
}

/** Throws a ProtocolError for a short frame. */
function numberAt(payload: Buffer, offset: number): number {
  if (payload.length < offset + 4) throw new ProtocolError("a frame is cut off");
  return payload.readUInt32BE(offset);
}
