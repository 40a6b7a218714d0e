import { forgetBytes } from "./simd/scanner.ts";

/** A piece of a body. */
export interface Piece {
  readonly bytes: Uint8Array;
  /** Where in the array it ends. */
  readonly end: number;
  /** Where the array stands in the body. */
  readonly base: number;
  /** No more comes after it. */
  readonly last: boolean;
  /** Whether some string in the array may have an escape. */
  readonly hasEscapes: boolean;
}

/** All of an array, to be read at once: until then it must not change. */
export function createPiece(bytes: Uint8Array, about: Omit<Piece, "bytes" | "end">): Piece {
  forgetBytes();
  return { ...about, bytes, end: bytes.length };
}
