import { constants, createInflate, type Inflate } from "node:zlib";
import { ProtocolError } from "../streams/protocol-error.ts";
import { headerDictionary } from "./header-dictionary.ts";

/** What the headers of one frame may come to: a few bytes can stand for very many. */
const maxInflatedBytes = 128 * 1024;

/** Inflates the headers of a connection: all of them are one stream, in the order of the frames. */
export class HeaderInflater {
  readonly #inflate: Inflate;
  #chunks: Buffer[] = [];
  #length = 0;
  #fail: ((error: Error) => void) | undefined;

  constructor() {
    this.#inflate = createInflate({
      dictionary: headerDictionary,
      flush: constants.Z_SYNC_FLUSH,
      finishFlush: constants.Z_SYNC_FLUSH,
    });
    this.#inflate.on("data", (chunk: Buffer) => this.#take(chunk));
    this.#inflate.on("error", (error) => this.#fail?.(new ProtocolError(error.message)));
  }

  /** One after another. Rejects with a ProtocolError, after which nothing more can be inflated. */
  async inflate(block: Buffer): Promise<Buffer> {
    if (this.#inflate.destroyed) throw new ProtocolError("headers can't be read any more");
    this.#chunks = [];
    this.#length = 0;
    await new Promise<void>((resolve, reject) => {
      this.#fail = reject;
      // What was inflated is handed out before the next turn.
      this.#inflate.write(block, (error) => (error ? reject(error) : setImmediate(resolve)));
    });
    return Buffer.concat(this.#chunks);
  }

  destroy(): void {
    this.#inflate.destroy();
    this.#fail?.(new ProtocolError("it is closed"));
  }

  #take(chunk: Buffer): void {
    this.#length += chunk.length;
    if (this.#length <= maxInflatedBytes) this.#chunks.push(chunk);
    else this.#inflate.destroy(new ProtocolError("the headers of a frame are too long"));
  }
}
