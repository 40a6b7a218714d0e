import {
  branch,
  branchIf,
  type Code,
  constant,
  get,
  op,
  set,
  simd,
  tee,
  type WasmFunction,
} from "./wasm-assembler.ts";

export const blockBytes = 16;

// Locals. Masks have a bit for each byte of the block.
const from = 0;
const end = 1;
const backslashes = 2;
const quotes = 3;
const outside = 4;
const opening = 5;
const closing = 6;
const braces = 7;
const depth = 8;
const openBraces = 9;
/** All ones where the previous block ended within a string. */
const inString = 10;
/** 1 where the first byte of the block is escaped. */
const escaped = 11;
const scratch = 12;
const block = 13;

const not: Code = [constant(-1), op.xor];
const whereEqual = (byte: number): Code => [constant(byte), simd.splat, simd.equal, simd.bitmask];
/** Braces and brackets differ in one bit. */
const withoutBraceBit: Code = [constant(0xdf), simd.splat, simd.and];

/** A backslash escapes the next byte unless it is escaped itself. */
const dropEscapedQuotes: Code = [
  [get(backslashes), get(escaped), not, op.and, set(scratch)],
  [get(scratch), constant(1), op.shiftLeft, constant(0xaaaa), op.or],
  [get(scratch), op.subtract, constant(0xaaaa), op.xor, set(scratch)],
  [get(backslashes), get(escaped), op.or, get(scratch), op.xor, not],
  [get(quotes), op.and, set(quotes)],
  [get(scratch), get(backslashes), op.and, constant(15), op.shiftRight, constant(1), op.and],
  set(escaped),
];

/** Each quote inverts all bits from it on. */
const findStrings: Code = [
  [get(quotes), set(outside)],
  ...[1, 2, 4, 8].map((bits) => [
    [get(outside), get(outside), constant(bits), op.shiftLeft, op.xor, set(outside)],
  ]),
  [get(outside), get(inString), op.xor, tee(outside)],
  [constant(16), op.shiftLeft, constant(31), op.shiftRightSigned, set(inString)],
  [get(outside), not, set(outside)],
];

const count = (...mask: Code[]): Code => [...mask, op.countOnes];

/** The block cannot contain the end: it closes less than is open. */
const passBlock: Code = [
  [get(depth), count(get(opening)), op.add, count(get(closing)), op.subtract, set(depth)],
  [get(openBraces), count(get(opening), get(braces), op.and), op.add],
  [count(get(closing), get(braces), op.and), op.subtract, set(openBraces)],
];

/** Returns the end; -1 where braces and brackets are mixed up. */
const returnAtEnd: Code = [
  [get(depth), op.isZero, op.if],
  [constant(-1), get(from), get(quotes), op.countTrailingZeros, op.add, constant(1), op.add],
  [get(openBraces), op.select, op.return],
  op.end,
];

/** Visits each bracket and brace: `outside` has the remaining ones, `quotes` the current one. */
const searchBlock: Code = [
  [get(opening), get(closing), op.or, set(outside)],
  [op.block, op.loop],
  [get(outside), op.isZero, branchIf(1)],
  [get(outside), constant(0), get(outside), op.subtract, op.and, set(quotes)],
  [constant(1), constant(-1), get(opening), get(quotes), op.and, op.select, set(scratch)],
  [get(depth), get(scratch), op.add, set(depth)],
  [get(openBraces), get(scratch), constant(0), get(braces), get(quotes), op.and, op.select],
  [op.add, set(openBraces)],
  returnAtEnd,
  [get(outside), get(quotes), op.xor, set(outside), branch(0)],
  [op.end, op.end],
];

const body: Code = [
  op.loop,
  [get(from), simd.load, tee(block), whereEqual(0x22), set(quotes)],
  [get(block), whereEqual(0x5c), tee(backslashes), get(escaped), op.or],
  [op.if, dropEscapedQuotes, op.end],
  findStrings,
  [get(block), withoutBraceBit, whereEqual(0x5b), get(outside), op.and, set(opening)],
  [get(block), withoutBraceBit, whereEqual(0x5d), get(outside), op.and, set(closing)],
  [get(block), constant(2), simd.shiftLeft, simd.bitmask, set(braces)],
  [count(get(closing)), get(depth), op.lessSigned],
  [op.if, passBlock, op.else, searchBlock, op.end],
  [get(from), constant(blockBytes), op.add, tee(from), get(end), op.less, branchIf(0)],
  op.end,
  constant(-1),
];

/**
 * The end of the object or list at `from`; -1 if it does not end before `end`, or is unbalanced.
 * Expects a block of zeros after `end`.
 */
export const valueEndFunction: WasmFunction = {
  name: "valueEnd",
  parameters: 2,
  locals: { numbers: 11, blocks: 1 },
  body,
};
