/** Nested WebAssembly code: opcodes with their immediates. */
export type Code = number | readonly Code[];

/** Opcodes of the WebAssembly specification. */
export const op = {
  block: [0x02, 0x40],
  loop: [0x03, 0x40],
  if: [0x04, 0x40],
  else: 0x05,
  end: 0x0b,
  return: 0x0f,
  select: 0x1b,
  loadNumber: [0x28, 0, 0],
  loadByte: [0x2d, 0, 0],
  isZero: 0x45,
  isEqual: 0x46,
  differs: 0x47,
  lessSigned: 0x48,
  less: 0x49,
  atLeast: 0x4f,
  countTrailingZeros: 0x68,
  countOnes: 0x69,
  add: 0x6a,
  subtract: 0x6b,
  and: 0x71,
  or: 0x72,
  xor: 0x73,
  shiftLeft: 0x74,
  shiftRightSigned: 0x75,
  shiftRight: 0x76,
} as const;

/** Instructions on 16 bytes at once. */
export const simd = {
  load: [0xfd, 0, 0, 0],
  splat: [0xfd, 15],
  equal: [0xfd, 35],
  lessUnsigned: [0xfd, 38],
  and: [0xfd, 78],
  or: [0xfd, 80],
  /** The highest bit of each byte. */
  bitmask: [0xfd, 100],
  shiftLeft: [0xfd, 107],
} as const;

export const get = (local: number): Code => [0x20, local];
export const set = (local: number): Code => [0x21, local];
export const tee = (local: number): Code => [0x22, local];
export const branch = (levels: number): Code => [0x0c, levels];
export const branchIf = (levels: number): Code => [0x0d, levels];
export const call = (index: number): Code => [0x10, index];
export const constant = (value: number): Code => [0x41, signed(value)];

const i32 = 0x7f;
const v128 = 0x7b;

/** A function of 32-bit numbers that returns one. */
export interface WasmFunction {
  readonly name: string;
  readonly parameters: number;
  /** The number of locals after the parameters: numbers, then 16-byte blocks. */
  readonly locals: { readonly numbers: number; readonly blocks: number };
  readonly body: Code;
}

/** The binary module with its exported memory and functions, which call each other by index. */
export function assemble(
  functions: readonly WasmFunction[],
  memoryPages: number,
): Uint8Array<ArrayBuffer> {
  return new Uint8Array([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, functions.map(typeOf)),
    ...section(
      3,
      functions.map((_, index) => [index]),
    ),
    ...section(5, [[0, ...unsigned(memoryPages)]]),
    ...section(7, [[...text("memory"), 2, 0], ...functions.map(exportOf)]),
    ...section(10, functions.map(codeOf)),
  ]);
}

function typeOf({ parameters }: WasmFunction): number[] {
  return [0x60, ...list(Array.from({ length: parameters }, () => [i32])), 1, i32];
}

function exportOf({ name }: WasmFunction, index: number): number[] {
  return [...text(name), 0, index];
}

function codeOf({ locals: { numbers, blocks }, body }: WasmFunction): number[] {
  const locals = list([
    [numbers, i32],
    [blocks, v128],
  ]);
  const code = [...locals, ...flat([body, op.end])];
  return [...unsigned(code.length), ...code];
}

function section(id: number, items: readonly (readonly number[])[]): number[] {
  const content = list(items);
  return [id, ...unsigned(content.length), ...content];
}

function list(items: readonly (readonly number[])[]): number[] {
  return [...unsigned(items.length), ...items.flat()];
}

function text(name: string): number[] {
  return [...unsigned(name.length), ...new TextEncoder().encode(name)];
}

function flat(code: Code): number[] {
  return typeof code === "number" ? [code] : code.flatMap(flat);
}

function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

function signed(value: number): number[] {
  if (value >= -0x40 && value < 0x40) return [value & 0x7f];
  return [(value & 0x7f) | 0x80, ...signed(value >> 7)];
}
