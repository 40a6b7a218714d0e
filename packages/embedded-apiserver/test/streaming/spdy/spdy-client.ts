import { once } from "node:events";
import type { Duplex } from "node:stream";
import { constants, createDeflate, type Deflate } from "node:zlib";
import {
  dataHead,
  FrameReader,
  finFlag,
  frameTypes,
  rstStream,
} from "../../../src/streaming/spdy/frame-reader.ts";
import { headerDictionary } from "../../../src/streaming/spdy/header-inflater.ts";

/** A client that compresses as Kubernetes' does, and remembers what it hears. */
export class SpdyClient {
  readonly peer: Duplex;
  /** What came on each stream. */
  readonly received = new Map<number, string>();
  readonly ended = new Set<number>();
  readonly reset = new Set<number>();
  readonly replied = new Set<number>();
  readonly pings: number[] = [];
  isGoingAway = false;
  isClosed = false;
  readonly #deflate: Deflate;
  #nextId = 1;

  constructor(peer: Duplex) {
    this.peer = peer;
    this.#deflate = createDeflate({ dictionary: headerDictionary, level: 9 });
    peer
      .on("error", () => {})
      .once("close", () => {
        this.isClosed = true;
      });
    this.#listen().catch(() => {});
  }

  /** Opens a stream and gives its number. */
  async open(headers: Record<string, string>, flags = 0): Promise<number> {
    const id = this.#nextId;
    this.#nextId += 2;
    await this.openAs(id, headers, flags);
    return id;
  }

  async openAs(id: number, headers: Record<string, string>, flags = 0): Promise<void> {
    const block = await this.compress(headers);
    const numbers = Buffer.alloc(10);
    numbers.writeUInt32BE(id);
    this.frame(frameTypes.synStream, Buffer.concat([numbers, block]), flags);
  }

  async compress(headers: Record<string, string>): Promise<Buffer> {
    const chunks: Buffer[] = [];
    const keep = (chunk: Buffer) => void chunks.push(chunk);
    this.#deflate.on("data", keep);
    this.#deflate.write(headerBlock(headers));
    await new Promise<void>((resolve) => {
      this.#deflate.flush(constants.Z_SYNC_FLUSH, () => setImmediate(resolve));
    });
    this.#deflate.off("data", keep);
    return Buffer.concat(chunks);
  }

  frame(type: number, payload: Buffer, flags = 0): void {
    const head = Buffer.alloc(8);
    head.writeUInt32BE(0x80030000 + type);
    head.writeUInt32BE(payload.length, 4);
    head.writeUInt8(flags, 4);
    this.peer.write(Buffer.concat([head, payload]));
  }

  /** false where the peer has to wait. */
  send(id: number, text: string | Buffer, isFin = false): boolean {
    const data = Buffer.from(text);
    return this.peer.write(Buffer.concat([dataHead(id, data.length, isFin), data]));
  }

  cancel(id: number): void {
    this.peer.write(rstStream(id, 5));
  }

  async #listen(): Promise<void> {
    const reader = new FrameReader();
    for await (const chunk of this.peer.iterator({ destroyOnReturn: false })) {
      for (const frame of reader.read(chunk)) {
        if (frame.kind === "data") {
          const { streamId, data, isLast } = frame;
          this.received.set(
            streamId,
            (this.received.get(streamId) ?? "") + data.toString("latin1"),
          );
          if (isLast) this.ended.add(streamId);
        } else this.#control(frame.type, frame.payload);
      }
    }
    this.peer.end();
  }

  #control(type: number, payload: Buffer): void {
    const id = payload.readUInt32BE(0);
    if (type === frameTypes.synReply) this.replied.add(id);
    if (type === frameTypes.rstStream) this.reset.add(id);
    if (type === frameTypes.ping) this.pings.push(id);
    if (type === frameTypes.goAway) this.isGoingAway = true;
  }

  async whenClosed(): Promise<void> {
    if (!this.isClosed) await once(this.peer, "close");
  }
}

export { finFlag };

function headerBlock(headers: Record<string, string>): Buffer {
  const number = (value: number) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return bytes;
  };
  const entries = Object.entries(headers);
  const words = entries.flat().flatMap((word) => [number(word.length), Buffer.from(word)]);
  return Buffer.concat([number(entries.length), ...words]);
}
