import { DepthScanner } from "./depth-scanner.ts";
import { PieceBuffer } from "./piece-buffer.ts";

const comma = 0x2c;
const openingBracket = 0x5b;
/** The beginning of the list's own field. */
const beforeItems = /(?<!\\)"items"\s*:\s*\[$/;
/** The levels inside of the list and of its items. */
const listLevel = 1;
const itemsLevel = 2;
/** Items are parsed together up to this size, a quarter faster than one by one. */
const pieceBytes = 32 * 1024;

export interface ListSplitterOptions {
  /** Called with items and the commas between them. */
  readonly onItems: (text: string) => void;
  /** In bytes. */
  readonly maxItemBytes: number;
  /** Must throw. */
  readonly onTooLong: () => never;
}

/**
 * Splits the JSON of a list into groups of whole items as it arrives. Keeps the text around the
 * items.
 */
export class ListSplitter {
  readonly #options: ListSplitterOptions;
  readonly #scanner = new DepthScanner();
  readonly #pieces = new PieceBuffer();
  #envelope = "";
  #inItems = false;

  constructor(options: ListSplitterOptions) {
    this.#options = options;
  }

  /** Throws the errors of the callbacks. */
  feed(bytes: Uint8Array): void {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let start = 0;
    let at = 0;
    for (;;) {
      at = this.#scanner.next(chunk, at, this.#inItems ? itemsLevel : listLevel);
      if (at < 0) break;
      start = this.#inItems ? this.#amongItems(chunk, start, at) : this.#around(chunk, start, at);
    }
    this.#keep(chunk.subarray(start));
  }

  /** The list without its items, after its end. */
  end(): string {
    return this.#envelope + this.#pieces.take();
  }

  /** Returns the position of the unprocessed rest. */
  #around(chunk: Buffer, start: number, at: number): number {
    if (chunk[at - 1] !== openingBracket || this.#scanner.depth !== itemsLevel) return start;
    this.#keep(chunk.subarray(start, at));
    this.#envelope += this.#pieces.take();
    this.#inItems = beforeItems.test(this.#envelope);
    return at;
  }

  #amongItems(chunk: Buffer, start: number, at: number): number {
    const ended = this.#scanner.depth < itemsLevel;
    const full = chunk[at - 1] === comma && this.#pieces.byteLength + at - start >= pieceBytes;
    if (!ended && !full) return start;
    this.#keep(chunk.subarray(start, at - 1));
    this.#options.onItems(this.#pieces.take());
    this.#inItems = !ended;
    return ended ? at - 1 : at;
  }

  #keep(piece: Buffer): void {
    this.#pieces.append(piece);
    const { maxItemBytes, onTooLong } = this.#options;
    // The item may follow others that are not parsed yet.
    if (this.#pieces.byteLength > maxItemBytes + pieceBytes) onTooLong();
  }
}
