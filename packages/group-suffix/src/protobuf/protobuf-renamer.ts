import { encodeFrame, FrameReader } from "@rookery/kube";
import { type BodyRenamer, type RenameStream, type Target, WholeBody } from "../body-renamer.ts";
import { createJsonRenamer } from "../json/json-renamer.ts";
import { createCelRenamer } from "../rules/cel-fields.ts";
import type { RenamerOptions } from "../rules/field-rule.ts";
import { envelopeMessage } from "./envelope.ts";
import { endFrames, readFrames } from "./frames.ts";
import { KindMessages } from "./kind-messages.ts";
import { embedded, message } from "./message.ts";
import { MessageWalker } from "./message-walker.ts";
import { openApiDocument } from "./messages/open-api.ts";
import { TextRenamer } from "./text-renamer.ts";

/** Of a frame: four bytes that tell its length. */
const headerLength = 4;
const watchEvent = message({ 2: embedded });

type RenameFrame = (frame: Uint8Array) => Uint8Array;

/**
 * Renames API groups in the events of a watch, frame by frame. A frame may have 16 MiB, as client-go
 * has it; a longer one is refused.
 */
export function createProtobufWatchRenamer(options: RenamerOptions): BodyRenamer {
  const walkers = new WalkerFactory(options);
  const renameFrame = (target: Target | undefined): RenameFrame => {
    return (frame) => {
      const walker = walkers.create(frame, target);
      walker.message(watchEvent, { start: 0, end: frame.length });
      return walker.renamed ?? frame;
    };
  };
  return {
    rename: (body, target) => renameFrames(body, renameFrame(target)),
    stream: (target) => new FrameStream(renameFrame(target)),
  };
}

function renameFrames(body: Uint8Array, rename: RenameFrame): Uint8Array {
  const stream = new FrameStream(rename);
  const [whole = body] = stream.push(body);
  stream.end();
  return whole;
}

class FrameStream implements RenameStream {
  readonly #rename: RenameFrame;
  readonly #reader = new FrameReader();
  /** Bytes of a frame that is not complete. */
  #waiting = 0;

  constructor(rename: RenameFrame) {
    this.#rename = rename;
  }

  /** The frames that are complete, in one piece: the very same where nothing in it changes. */
  push(chunk: Uint8Array): readonly Uint8Array[] {
    const before = this.#waiting;
    const frames = readFrames(this.#reader, chunk);
    const renamed = frames.map(this.#rename);
    this.#waiting +=
      chunk.length - frames.reduce((sum, { length }) => sum + headerLength + length, 0);
    if (frames.length === 0) return [];
    const isSame = frames.every((frame, index) => frame === renamed[index]);
    if (isSame && before === 0 && this.#waiting === 0) return [chunk];
    return [Buffer.concat(renamed.flatMap(encodeFrame))];
  }

  end(): readonly Uint8Array[] {
    endFrames(this.#reader);
    return [];
  }
}

/**
 * Renames API groups in objects that are encoded as Protobuf. A stream is held until its end: lengths
 * come first on the wire, and they change.
 */
export function createProtobufRenamer(options: RenamerOptions): BodyRenamer {
  const walkers = new WalkerFactory(options);
  const rename = (bytes: Uint8Array, target: Target | undefined): Uint8Array => {
    const walker = walkers.create(bytes, target);
    walker.envelope({ start: 0, end: bytes.length });
    return walker.renamed ?? bytes;
  };
  return {
    rename,
    stream: (target) => new WholeBody("Protobuf", (bytes) => rename(bytes, target)),
  };
}

/** Renames OpenAPI version 2 in Protobuf, which comes without the envelope of objects. */
export function createOpenApiRenamer(options: RenamerOptions): BodyRenamer {
  const walkers = new WalkerFactory(options);
  const rename = (bytes: Uint8Array): Uint8Array => {
    const walker = walkers.create(bytes, undefined);
    walker.message(openApiDocument, { start: 0, end: bytes.length });
    return walker.renamed ?? bytes;
  };
  return { rename, stream: () => new WholeBody("Protobuf", rename) };
}

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
