import type { RenameStream } from "../body-renamer.ts";
import { TruncatedBodyError, UnreadableBodyError } from "../errors.ts";
import type { RuleNode } from "../rules/rule-node.ts";
import { editedBytes } from "./byte-edits.ts";
import { isSpace } from "./bytes.ts";
import { createPiece, type Piece } from "./piece.ts";
import type { WalkContext } from "./walk-context.ts";
import { JsonWalker } from "./walker.ts";

/**
 * Renames JSON that passes by in pieces: one document, or one after another. Held back is a token
 * that is not complete, and a value whose rules depend on what comes later in its object.
 */
export class JsonStream implements RenameStream {
  readonly #walker: JsonWalker;
  readonly #isMany: boolean;
  /** What has not been sent on, where it stands in the body, and how far it has been read. */
  #bytes: Uint8Array = new Uint8Array();
  #base = 0;
  #read = 0;

  constructor(root: RuleNode, context: WalkContext, documents: "one" | "many") {
    this.#walker = new JsonWalker(root, context);
    this.#isMany = documents === "many";
  }

  push(chunk: Uint8Array): readonly Uint8Array[] {
    if (chunk.length === 0) return [];
    this.#bytes = this.#bytes.length === 0 ? chunk : Buffer.concat([this.#bytes, chunk]);
    this.#walk(false);
    return this.#flush();
  }

  end(): readonly Uint8Array[] {
    this.#walk(true);
    const isWhole = this.#walker.isDone || this.#walker.isFresh;
    if (!isWhole || this.#read < this.#bytes.length) throw new TruncatedBodyError("JSON");
    return this.#flush();
  }

  #walk(last: boolean): void {
    const piece = createPiece(this.#bytes, this.#base, last);
    this.#read = this.#walker.walk(piece, this.#read);
    while (this.#walker.isDone && this.#read < this.#bytes.length) {
      if (isSpace(this.#bytes[this.#read])) this.#read++;
      else this.#read = this.#nextDocument(piece);
    }
  }

  #nextDocument(piece: Piece): number {
    if (!this.#isMany) throw new UnreadableBodyError("JSON", "something follows its end");
    this.#walker.restart();
    return this.#walker.walk(piece, this.#read);
  }

  #flush(): readonly Uint8Array[] {
    const until = Math.min(this.#read, this.#walker.heldFrom - this.#base);
    const ready = this.#bytes.subarray(0, until);
    const edits = this.#walker.edits.take(this.#base + until);
    const sent = edits.length === 0 ? ready : editedBytes(ready, this.#base, edits);
    this.#bytes = this.#bytes.subarray(until);
    this.#base += until;
    this.#read -= until;
    return sent.length === 0 ? [] : [sent];
  }
}
