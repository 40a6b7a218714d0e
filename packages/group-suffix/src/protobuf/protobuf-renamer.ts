import type { BodyRenamer, RenameStream, Target } from "../body-renamer.ts";
import type { RenamerOptions } from "../rules/field-rule.ts";

import { WalkerFactory } from "./walker-factory.ts";
import { unreadable } from "./wire-cursor.ts";

/** A list is held until its end: its length comes first on the wire, and changes. */
const maxBodyBytes = 256 * 1024 * 1024;

/** Renames API groups in objects that are encoded as Protobuf; bodies of up to 256 MiB. */
export function createProtobufRenamer(options: RenamerOptions): BodyRenamer {
  const walkers = new WalkerFactory(options);
  const rename = (bytes: Uint8Array, target: Target | undefined): Uint8Array => {
    const walker = walkers.create(bytes, target);
    walker.envelope({ start: 0, end: bytes.length });
    return walker.renamed ?? bytes;
  };
  return { rename, stream: (target) => new WholeBody((bytes) => rename(bytes, target)) };
}

/** Collects a body and renames it at its end. */
class WholeBody implements RenameStream {
  readonly #rename: (bytes: Uint8Array) => Uint8Array;
  readonly #chunks: Uint8Array[] = [];
  #length = 0;

  constructor(rename: (bytes: Uint8Array) => Uint8Array) {
    this.#rename = rename;
  }

  push(chunk: Uint8Array): readonly Uint8Array[] {
    this.#length += chunk.length;
    if (this.#length > maxBodyBytes) throw unreadable(`it is longer than ${maxBodyBytes} bytes`);
    this.#chunks.push(chunk);
    return [];
  }

  end(): readonly Uint8Array[] {
    const [first] = this.#chunks;
    const whole = this.#chunks.length === 1 && first ? first : Buffer.concat(this.#chunks);
    return [this.#rename(whole)];
  }
}
