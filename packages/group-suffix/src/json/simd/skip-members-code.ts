import { blockBytes } from "./value-end-code.ts";
import {
  branch,
  branchIf,
  type Code,
  call,
  constant,
  get,
  op,
  set,
  simd,
  tee,
  type WasmFunction,
} from "./wasm-assembler.ts";

const from = 0;
const end = 1;
const filter = 2;
const at = 3;
const mask = 4;
const block = 5;

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const backslash = 0x5c;
const anyOpening = 0x5b;
const closeBrace = 0x7d;

const whereEqual = (byte: number): Code => [get(block), constant(byte), simd.splat, simd.equal];
const byteAt = (place: Code): Code => [place, op.loadByte];
const moveBy = (distance: number): Code => [get(at), constant(distance), op.add, set(at)];
/** Stops at a member that is incomplete or not in the plainest form. */
const stopHere: Code = [get(from), op.return];
const stopIf = (...condition: Code[]): Code => [...condition, op.if, stopHere, op.end];

/** Moves to the next byte that a block marks; a zero after the end is marked. */
const moveTo = (...marks: Code[]): Code => [
  op.loop,
  [get(at), simd.load, set(block), ...marks, simd.bitmask, tee(mask), op.isZero],
  [op.if, moveBy(blockBytes), branch(1), op.end],
  op.end,
  [get(at), get(mask), op.countTrailingZeros, op.add, set(at)],
];

const belowSpace: Code = [get(block), constant(0x20), simd.splat, simd.lessUnsigned];

/** A key without escapes that the filter excludes, and its colon. */
const passKey: Code = [
  stopIf(byteAt(get(from)), constant(quote), op.differs),
  [get(from), constant(1), op.add, set(at)],
  moveTo(whereEqual(quote), whereEqual(backslash), simd.or, belowSpace, simd.or),
  stopIf(byteAt(get(at)), constant(quote), op.differs),
  // As `keyFilter`: the length of the key and its last letter.
  [get(filter), get(at), get(from), op.subtract, constant(1), op.subtract],
  [get(at), constant(1), op.subtract, op.loadByte, op.add, op.shiftRight, constant(1), op.and],
  [op.if, stopHere, op.end],
  moveBy(1),
  stopIf(byteAt(get(at)), constant(colon), op.differs),
  moveBy(1),
];

const passString: Code = [
  moveBy(1),
  op.loop,
  moveTo(whereEqual(quote), whereEqual(backslash), simd.or, belowSpace, simd.or),
  [byteAt(get(at)), constant(backslash), op.isEqual],
  [op.if, moveBy(2), branch(1), op.end],
  op.end,
  stopIf(byteAt(get(at)), constant(quote), op.differs),
  moveBy(1),
];

const passStructure: Code = [
  [get(at), get(end), call(0), tee(at), constant(-1), op.isEqual],
  [op.if, stopHere, op.end],
];

const isDigitFrom = (first: number): Code => [
  [byteAt(get(at)), constant(first), op.subtract, constant(0x3a - first), op.less],
];
/** Four letters as one little-endian number. */
const isWord = (word: string): Code => [
  [get(at), op.loadNumber, constant(Buffer.from(word).readInt32LE()), op.isEqual],
];
const notByte = (byte: number): Code => [byteAt(get(at)), constant(byte), op.differs];

/** A whole number or a word, and its terminator; other numbers take the slow path. */
const passLiteral: Code = [
  [isDigitFrom(0x31), op.if],
  [op.loop, moveBy(1), isDigitFrom(0x30), branchIf(0), op.end],
  op.else,
  [isWord("true"), isWord("null"), op.or, op.if, moveBy(4), op.else],
  stopIf(isWord("fals"), op.isZero),
  moveBy(4),
  stopIf(notByte(0x65)),
  moveBy(1),
  [op.end, op.end],
  stopIf(notByte(comma), notByte(closeBrace), op.and),
];

const passValue: Code = [
  [byteAt(get(at)), constant(quote), op.isEqual],
  [op.if, passString, op.else],
  [byteAt(get(at)), constant(0xdf), op.and, constant(anyOpening), op.isEqual],
  [op.if, passStructure, op.else, passLiteral, op.end],
  op.end,
];

const body: Code = [
  op.loop,
  passKey,
  passValue,
  // The following byte must be in the window.
  stopIf(get(at), get(end), op.atLeast),
  [byteAt(get(at)), constant(comma), op.differs],
  [op.if, get(at), op.return, op.end],
  [get(at), constant(1), op.add, tee(from), get(end), op.less, branchIf(0)],
  op.end,
  get(from),
];

/**
 * Skips members of an object, from a key at `from` on, up to one that needs the slow path. Returns
 * a position before a key, or after a value without a comma. Calls `valueEnd`, the first function.
 * Expects two blocks of zeros after `end`.
 */
export const skipMembersFunction: WasmFunction = {
  name: "skipMembers",
  parameters: 3,
  locals: { numbers: 2, blocks: 1 },
  body,
};
