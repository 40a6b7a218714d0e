import type { RenameStream } from "../body-renamer.ts";
import { editedBytes } from "../byte-edits.ts";
import { TruncatedBodyError, UnreadableBodyError } from "../errors.ts";
import { HeldBytes } from "../held-bytes.ts";
import type { RuleNode } from "../rules/rule-node.ts";
import { isSpace } from "./json-string.ts";
import { openTokenEnd } from "./open-token.ts";
import { createPiece, type Piece, type WalkContext } from "./walk-context.ts";
import { JsonWalker } from "./walker.ts";

const backslash = 0x5c;

/**
 * Renames streamed JSON, one document or several. Buffers incomplete tokens, and values whose
 * rules depend on later fields.
 */
export class JsonStream implements RenameStream {
  readonly #walker: JsonWalker;
  readonly #isMany: boolean;
  /** The unsent bytes, their offset in the body, and the read position. */
  readonly #held = new HeldBytes();
  #base = 0;
  #read = 0;
  /** The searched length of the incomplete token. */
  #searched = 0;
  #hasEscapes = false;

  constructor(root: RuleNode, context: WalkContext, documents: "one" | "many") {
    this.#walker = new JsonWalker(root, context);
    this.#isMany = documents === "many";
  }

  push(chunk: Uint8Array): readonly Uint8Array[] {
    if (chunk.length === 0) return [];
    if (this.#bytes.length === 0) this.#hasEscapes = false;
    this.#hasEscapes ||= chunk.includes(backslash);
    this.#held.append(chunk);
    if (this.#waits()) return [];
    this.#walk(false);
    return this.#flush();
  }

  get #bytes(): Uint8Array {
    return this.#held.bytes;
  }

  /** Whether the walker still waits for the end of a token. */
  #waits(): boolean {
    if (this.#searched === 0) return false;
    this.#searched = openTokenEnd(this.#bytes, this.#read, this.#searched) ?? 0;
    return this.#searched > 0;
  }

  end(): readonly Uint8Array[] {
    this.#walk(true);
    const isWhole = this.#walker.isDone || this.#walker.isFresh;
    if (!isWhole || this.#read < this.#bytes.length) throw new TruncatedBodyError("JSON");
    return this.#flush();
  }

  #walk(last: boolean): void {
    const { bytes } = this.#held;
    const piece = createPiece(bytes, { base: this.#base, last, hasEscapes: this.#hasEscapes });
    this.#read = this.#walker.walk(piece, this.#read);
    while (this.#walker.isDone && this.#read < this.#bytes.length) {
      if (isSpace(this.#bytes[this.#read])) this.#read++;
      else this.#read = this.#nextDocument(piece);
    }
    this.#searched = this.#read < bytes.length ? 1 : 0;
  }

  #nextDocument(piece: Piece): number {
    if (!this.#isMany) throw new UnreadableBodyError("JSON", "something follows its end");
    this.#walker.restart();
    return this.#walker.walk(piece, this.#read);
  }

  #flush(): readonly Uint8Array[] {
    const until = Math.min(this.#read, this.#walker.heldFrom - this.#base);
    if (until === 0) return [];
    const ready = this.#bytes.subarray(0, until);
    const edits = this.#walker.edits.take(this.#base + until);
    const sent = edits.length === 0 ? ready : editedBytes(ready, this.#base, edits);
    this.#held.drop(until);
    this.#base += until;
    this.#read -= until;
    return sent.length === 0 ? [] : [sent];
  }
}
