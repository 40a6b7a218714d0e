import { type ByteEdit, editedBytes } from "../byte-edits.ts";
import { TruncatedBodyError, UnreadableBodyError } from "../errors.ts";
import type { RuleNode } from "../rules/rule-node.ts";
import { isSpace } from "./json-string.ts";
import { createPiece, type WalkContext } from "./walk-context.ts";
import { JsonWalker } from "./walker.ts";

const backslash = 0x5c;

/** The sorted edits of a document. Errors: UnreadableBodyError, TruncatedBodyError. */
export function documentEdits(
  bytes: Uint8Array,
  root: RuleNode,
  context: WalkContext,
): readonly ByteEdit[] {
  const walker = new JsonWalker(root, context);
  let i = walker.walk(
    createPiece(bytes, { base: 0, last: true, hasEscapes: bytes.includes(backslash) }),
    0,
  );
  while (i < bytes.length && walker.isDone) {
    if (!isSpace(bytes[i])) throw new UnreadableBodyError("JSON", "something follows its end");
    i++;
  }
  if (i < bytes.length || !(walker.isDone || walker.isFresh)) throw new TruncatedBodyError("JSON");
  return walker.edits.take(bytes.length);
}

/** Renames a document; the same array where nothing matches. */
export function renameDocument(
  bytes: Uint8Array,
  root: RuleNode,
  context: WalkContext,
): Uint8Array {
  const edits = documentEdits(bytes, root, context);
  return edits.length === 0 ? bytes : editedBytes(bytes, 0, edits);
}
