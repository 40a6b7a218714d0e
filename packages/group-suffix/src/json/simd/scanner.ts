import { skipMembersFunction } from "./skip-members-code.ts";
import { blockBytes, valueEndFunction } from "./value-end-code.ts";
import { assemble } from "./wasm-assembler.ts";

const pageBytes = 64 * 1024;
/** The size of a copy, within the processor's nearest cache. */
const windowBytes = 16 * 1024;

interface Scanner {
  readonly memory: { readonly buffer: ArrayBuffer };
  valueEnd(from: number, end: number): number;
  skipMembers(from: number, end: number, filter: number): number;
}

/** The types of WebAssembly are only in the DOM library. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
};

const module = new WebAssembly.Module(assemble([valueEndFunction, skipMembersFunction], 1));
const code = new WebAssembly.Instance(module).exports as Scanner;
const memory = new Uint8Array(code.memory.buffer, 0, pageBytes);

/** The array of which the memory has a copy, and the range. */
let loaded: Uint8Array | undefined;
let start = 0;
let stop = 0;

/** Must be called before reading, because the content of an array may change. */
export function forgetBytes(): void {
  loaded = undefined;
}

/**
 * The end of the object or list at `from`; -1 if it does not end before `end`, is unbalanced or
 * too long.
 */
export function structureEnd(bytes: Uint8Array, from: number, end: number): number {
  if (bytes === loaded && from >= start && from < stop) {
    const at = code.valueEnd(from - start, stop - start);
    if (at >= 0) return at + start <= end ? at + start : -1;
    if (stop >= end) return -1;
  }
  load(bytes, from, end);
  const at = code.valueEnd(0, stop - from);
  return at < 0 ? -1 : at + from;
}

/**
 * Skips members of an object, from a key on, that the filter excludes. Stops after a member,
 * before or after its comma, where the slow path must continue.
 */
export function skipMembers(bytes: Uint8Array, from: number, end: number, filter: number): number {
  if (bytes !== loaded || from < start || from >= stop) load(bytes, from, end);
  const to = stop < end ? stop : end;
  return code.skipMembers(from - start, to - start, filter) + start;
}

function load(bytes: Uint8Array, from: number, end: number): void {
  loaded = bytes;
  start = from;
  stop = Math.min(from + windowBytes, end);
  memory.set(bytes.subarray(from, stop));
  memory.fill(0, stop - from, stop - from + 2 * blockBytes);
}
