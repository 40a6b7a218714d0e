import type { TextEdit } from "../forms/form.ts";
import type { KindName, RuleNode } from "../rules/rule-node.ts";
import { forgetBytes } from "./simd/scanner.ts";
import type { TextMemo } from "./text-memo.ts";

/** What a walker needs to know beside the rules. */
export interface WalkContext {
  /** The kind that the request is about. */
  readonly target: KindName | undefined;
  /** What is renamed in a string that a rule speaks of. */
  edits(text: string, rule: Pick<RuleNode, "form" | "edits">): readonly TextEdit[];
  /** Remembers it for all walkers of one body. */
  readonly memo: TextMemo;
}

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
