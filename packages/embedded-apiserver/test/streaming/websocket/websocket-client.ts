import { once } from "node:events";
import type { Duplex } from "node:stream";
import { opcodes } from "../../../src/streaming/websocket/frame-reader.ts";

/** A client that masks what it sends, and remembers what it hears. */
export class WebSocketClient {
  readonly peer: Duplex;
  /** Opcodes and payloads, one after another. */
  readonly messages: { readonly opcode: number; readonly payload: Buffer }[] = [];
  isClosed = false;

  constructor(peer: Duplex) {
    this.peer = peer;
    peer
      .on("error", () => {})
      .once("close", () => {
        this.isClosed = true;
      });
    this.#listen().catch(() => {});
  }

  /** All that came on a channel. */
  channel(number: number): string {
    const own = this.messages.filter(
      ({ opcode, payload }) => opcode === opcodes.binary && payload[0] === number,
    );
    return Buffer.concat(own.map(({ payload }) => payload.subarray(1))).toString();
  }

  get closeCode(): number | undefined {
    return this.messages.find(({ opcode }) => opcode === opcodes.close)?.payload.readUInt16BE(0);
  }

  /** false where the peer has to wait. */
  send(payload: Buffer | string, opcode: number = opcodes.binary, isFinal = true): boolean {
    const data = Buffer.from(payload);
    const mask = Buffer.from([1, 2, 3, 4]);
    const masked = data.map((byte, index) => byte ^ (mask[index & 3] ?? 0));
    const first = (isFinal ? 0x80 : 0) | opcode;
    return this.peer.write(Buffer.concat([head(first, data.length), mask, masked]));
  }

  sendOn(channel: number, text: string | Buffer): boolean {
    return this.send(Buffer.concat([Buffer.from([channel]), Buffer.from(text)]));
  }

  async whenClosed(): Promise<void> {
    if (!this.isClosed) await once(this.peer, "close");
  }

  async #listen(): Promise<void> {
    let rest = Buffer.alloc(0);
    for await (const chunk of this.peer.iterator({ destroyOnReturn: false })) {
      rest = Buffer.concat([rest, chunk]);
      for (let taken = this.#take(rest); taken > 0; taken = this.#take(rest)) {
        rest = rest.subarray(taken);
      }
    }
    this.peer.end();
  }

  /** How many bytes the next message takes; 0 where it is not whole. */
  #take(bytes: Buffer): number {
    if (bytes.length < 2) return 0;
    const short = bytes[1] ?? 0;
    const start = short === 126 ? 4 : short === 127 ? 10 : 2;
    if (bytes.length < start) return 0;
    const length = lengthOf(bytes, short);
    if (bytes.length < start + length) return 0;
    const opcode = (bytes[0] ?? 0) & 0xf;
    this.messages.push({ opcode, payload: bytes.subarray(start, start + length) });
    return start + length;
  }
}

function head(first: number, length: number): Buffer {
  if (length < 126) return Buffer.from([first, 0x80 | length]);
  const bytes = Buffer.alloc(length < 0x10000 ? 4 : 10);
  bytes[0] = first;
  bytes[1] = length < 0x10000 ? 0xfe : 0xff;
  if (length < 0x10000) bytes.writeUInt16BE(length, 2);
  else bytes.writeBigUInt64BE(BigInt(length), 2);
  return bytes;
}

function lengthOf(bytes: Buffer, short: number): number {
  if (short === 127) return Number(bytes.readBigUInt64BE(2));
  return short === 126 ? bytes.readUInt16BE(2) : short;
}
