import { ProtocolError } from "../../errors.ts";

export const opcodes = {
  continuation: 0,
  text: 1,
  binary: 2,
  close: 8,
  ping: 9,
  pong: 10,
} as const;

/** A ping, a pong or a close frame. */
export interface ControlFrame {
  readonly kind: "control";
  readonly opcode: number;
  readonly payload: Buffer;
}

/** A part of a message: long messages are passed on as they arrive. */
export interface MessagePart {
  readonly kind: "part";
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly data: Buffer;
}

const maxControlLength = 125;
const noBytes = Buffer.alloc(0);

interface FrameHead {
  readonly opcode: number;
  readonly isFinal: boolean;
  readonly mask: Buffer;
  left: number;
  /** How many bytes are unmasked. */
  done: number;
  isFirstPart: boolean;
}

/** Splits a client's bytes into parts of messages (RFC 6455). */
export class FrameReader {
  #rest: Buffer = noBytes;
  #head: FrameHead | undefined;
  #isInMessage = false;

  /** Throws a ProtocolError. */
  *read(chunk: Buffer): Generator<ControlFrame | MessagePart> {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    for (;;) {
      this.#head ??= this.#nextHead();
      if (!this.#head) return;
      const next = this.#head.opcode >= opcodes.close ? this.#control() : this.#part(this.#head);
      if (!next) return;
      yield next;
    }
  }

  #nextHead(): FrameHead | undefined {
    const bytes = this.#rest;
    const [first = 0, second = 0] = bytes;
    if (bytes.length < 2) return undefined;
    assertAllowed(first, second);
    const short = second & 0x7f;
    const extra = short === 126 ? 2 : short === 127 ? 8 : 0;
    if (bytes.length < 2 + extra + 4) return undefined;
    const left = extra === 0 ? short : extendedLength(bytes, extra);
    const mask = Buffer.from(bytes.subarray(2 + extra, 6 + extra));
    this.#rest = bytes.subarray(6 + extra);
    const head = { opcode: first & 0xf, isFinal: first >= 0x80, mask, left, done: 0 };
    this.#assertInOrder(head.opcode);
    return { ...head, isFirstPart: head.opcode !== opcodes.continuation };
  }

  #assertInOrder(opcode: number): void {
    if (opcode >= opcodes.close) return;
    if ((opcode === opcodes.continuation) !== this.#isInMessage) {
      throw new ProtocolError("a message goes on that has not begun, or begins within another one");
    }
    this.#isInMessage = true;
  }

  #control(): ControlFrame | undefined {
    const head = this.#head;
    if (!head || this.#rest.length < head.left) return undefined;
    this.#head = undefined;
    return { kind: "control", opcode: head.opcode, payload: this.#take(head, head.left) };
  }

  #part(head: FrameHead): MessagePart | undefined {
    if (head.left > 0 && this.#rest.length === 0) return undefined;
    const data = this.#take(head, Math.min(head.left, this.#rest.length));
    const isFirst = head.isFirstPart;
    head.isFirstPart = false;
    if (head.left > 0) return { kind: "part", isFirst, isLast: false, data };
    this.#head = undefined;
    if (head.isFinal) this.#isInMessage = false;
    return { kind: "part", isFirst, isLast: head.isFinal, data };
  }

  #take(head: FrameHead, length: number): Buffer {
    const taken = this.#rest.subarray(0, length);
    this.#rest = this.#rest.subarray(length);
    const { mask, done } = head;
    for (let index = 0; index < length; index += 1) {
      taken[index] = (taken[index] ?? 0) ^ (mask[(done + index) & 3] ?? 0);
    }
    head.left -= length;
    head.done += length;
    return taken;
  }
}

function assertAllowed(first: number, second: number): void {
  const opcode = first & 0xf;
  if ((first & 0x70) !== 0) throw new ProtocolError("a frame uses an extension");
  if (second < 0x80) throw new ProtocolError("a client's frame is not masked");
  if (!(Object.values(opcodes) as number[]).includes(opcode)) {
    throw new ProtocolError(`there is no frame of type ${opcode}`);
  }
  if (opcode < opcodes.close) return;
  if (first < 0x80 || (second & 0x7f) > maxControlLength) {
    throw new ProtocolError("a control frame is too long or comes in parts");
  }
}

function extendedLength(bytes: Buffer, extra: number): number {
  const length = extra === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  if (!Number.isSafeInteger(length)) throw new ProtocolError("a frame is too long");
  return length;
}
