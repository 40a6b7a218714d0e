import { ProtocolError } from "../../errors.ts";
import { emptyHeaderBlock } from "./header-inflater.ts";

export function dataHead(streamId: number, length: number, isFin: boolean): Buffer {
  const head = Buffer.alloc(headLength);
  head.writeUInt32BE(streamId);
  head.writeUInt32BE(length, 4);
  head.writeUInt8(isFin ? finFlag : 0, 4);
  return head;
}

export function synReply(streamId: number, isFirst: boolean): Buffer {
  return controlFrame(frameTypes.synReply, [streamId], emptyHeaderBlock(isFirst));
}

export const cancel = 5;
export const refusedStream = 3;
export const protocolError = 1;

export function rstStream(streamId: number, status: number): Buffer {
  return controlFrame(frameTypes.rstStream, [streamId, status]);
}

export function ping(id: number): Buffer {
  return controlFrame(frameTypes.ping, [id]);
}

export function goAway(lastStreamId: number): Buffer {
  return controlFrame(frameTypes.goAway, [lastStreamId, 0]);
}

/** A control frame of 32-bit numbers and further bytes. */
function controlFrame(
  type: number,
  numbers: readonly number[],
  rest: Uint8Array = new Uint8Array(),
): Buffer {
  const frame = Buffer.alloc(headLength + numbers.length * 4);
  frame.writeUInt32BE(0x80030000 + type);
  frame.writeUInt32BE(numbers.length * 4 + rest.length, 4);
  for (const [index, number] of numbers.entries()) {
    frame.writeUInt32BE(number, headLength + index * 4);
  }
  return Buffer.concat([frame, rest]);
}

export interface ControlFrame {
  readonly kind: "control";
  readonly type: number;
  readonly flags: number;
  readonly payload: Buffer;
}

/** A part of a data frame: long frames are passed on as they arrive. */
export interface DataPart {
  readonly kind: "data";
  readonly streamId: number;
  readonly data: Buffer;
  /** Whether the sender ends the stream. */
  readonly isLast: boolean;
}

export type Frame = ControlFrame | DataPart;

export const frameTypes = {
  synStream: 1,
  synReply: 2,
  rstStream: 3,
  settings: 4,
  ping: 6,
  goAway: 7,
  headers: 8,
  windowUpdate: 9,
} as const;

export const finFlag = 1;
const headLength = 8;

/** Control frames contain only headers and numbers. */
const maxControlLength = 64 * 1024;
const version = 3;
const noBytes = Buffer.alloc(0);

interface DataHead {
  readonly streamId: number;
  readonly isFin: boolean;
  left: number;
}

/** Splits a byte stream into frames; buffers at most one control frame. */
export class FrameReader {
  #rest: Buffer = noBytes;
  #data: DataHead | undefined;

  /** Throws a ProtocolError. */
  *read(chunk: Buffer): Generator<Frame> {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    for (;;) {
      const frame = this.#data ? this.#nextPart(this.#data) : this.#nextFrame();
      if (!frame) return;
      yield frame;
    }
  }

  #nextFrame(): Frame | undefined {
    const head = this.#rest;
    if (head.length < headLength) return undefined;
    const word = head.readUInt32BE(0);
    const flags = head.readUInt8(4);
    const length = head.readUIntBE(5, 3);
    if (word >= 0x80000000) return this.#nextControl(word, { flags, length });
    this.#take(headLength);
    if (word === 0) throw new ProtocolError("there is no stream 0");
    this.#data = { streamId: word, isFin: (flags & finFlag) !== 0, left: length };
    return this.#nextPart(this.#data);
  }

  #nextControl(word: number, head: { flags: number; length: number }): ControlFrame | undefined {
    const { flags, length } = head;
    const found = (word >>> 16) & 0x7fff;
    if (found !== version) throw new ProtocolError(`a frame has version ${found}, not ${version}`);
    if (length > maxControlLength) {
      throw new ProtocolError(`a control frame has ${length} bytes, more than ${maxControlLength}`);
    }
    if (this.#rest.length < headLength + length) return undefined;
    this.#take(headLength);
    return { kind: "control", type: word & 0xffff, flags, payload: this.#take(length) };
  }

  #nextPart(head: DataHead): DataPart | undefined {
    if (head.left > 0 && this.#rest.length === 0) return undefined;
    const data = this.#take(Math.min(head.left, this.#rest.length));
    head.left -= data.length;
    if (head.left === 0) this.#data = undefined;
    const { streamId, isFin } = head;
    return { kind: "data", streamId, data, isLast: isFin && head.left === 0 };
  }

  #take(length: number): Buffer {
    const taken = this.#rest.subarray(0, length);
    this.#rest = this.#rest.subarray(length);
    return taken;
  }
}
