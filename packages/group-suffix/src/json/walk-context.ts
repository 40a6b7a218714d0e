import type { TextEdit } from "../forms/form.ts";
import type { KindName, RuleNode } from "../rules/rule-node.ts";
import { forgetBytes } from "./simd/scanner.ts";
import type { TextMemo } from "./text-memo.ts";

/** The input of a walker beside the rules. */
export interface WalkContext {
  /** The kind of the request. */
  readonly target: KindName | undefined;
  /** The edits of a string. */
  edits(text: string, rule: Pick<RuleNode, "form" | "edits">): readonly TextEdit[];
  /** Shared by all walkers of one body. */
  readonly memo: TextMemo;
}

export interface Piece {
  readonly bytes: Uint8Array;
  readonly end: number;
  /** The offset of the array in the body. */
  readonly base: number;
  readonly last: boolean;
  /** Whether a string may contain an escape. */
  readonly hasEscapes: boolean;
}

/** The whole array, which must not change while it is read. */
export function createPiece(bytes: Uint8Array, about: Omit<Piece, "bytes" | "end">): Piece {
  forgetBytes();
  return { ...about, bytes, end: bytes.length };
}
