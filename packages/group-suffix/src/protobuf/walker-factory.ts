import type { Target } from "../body-renamer.ts";
import { createJsonRenamer } from "../json/json-renamer.ts";
import { createCelRenamer } from "../rules/cel-fields.ts";
import type { RenamerOptions } from "../rules/field-rule.ts";
import { envelopeMessage } from "./envelope.ts";
import { KindMessages } from "./kind-messages.ts";
import { MessageWalker } from "./message-walker.ts";
import { TextRenamer } from "./text-renamer.ts";

/** Makes the walkers of a renamer, one for each body or frame. */
export class WalkerFactory {
  readonly #texts: TextRenamer;
  readonly #kinds: KindMessages;

  constructor(options: RenamerOptions) {
    this.#texts = new TextRenamer({
      mapping: options.mapping,
      json: createJsonRenamer(options),
      renameCel: createCelRenamer(options),
    });
    this.#kinds = new KindMessages(options);
  }

  create(bytes: Uint8Array, target: Target | undefined): MessageWalker {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return new MessageWalker(buffer, {
      texts: this.#texts,
      envelope: (body, range) =>
        envelopeMessage(body, range, (kind) => this.#kinds.of(kind, target)),
    });
  }
}
