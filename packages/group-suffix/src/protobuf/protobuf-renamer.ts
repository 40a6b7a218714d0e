import { encodeFrame, FrameReader } from "@rookery/kube";
import {
  type BodyRenamer,
  type RenameStream,
  type Target,
  wholeBodyRenamer,
} from "../body-renamer.ts";
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

/** Four bytes with the length of a frame. */
const headerLength = 4;
const watchEvent = message({ 2: embedded });

type RenameFrame = (frame: Uint8Array) => Uint8Array;

/** Renames watch events frame by frame. Rejects frames of more than 16 MiB, as client-go. */
export function createProtobufWatchRenamer(options: RenamerOptions): BodyRenamer {
  const createWalker = walkersOf(options);
  const renameFrame = (target: Target | undefined): RenameFrame => {
    return (frame) => {
      const walker = createWalker(frame, target);
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
  /** The length of the incomplete frame. */
  #waiting = 0;

  constructor(rename: RenameFrame) {
    this.#rename = rename;
  }

  /** Returns the completed frames in one chunk; the same chunk where nothing changes. */
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
 * Renames API groups in objects in Protobuf. A stream is buffered until its end, because lengths come
 * first on the wire and change.
 */
export function createProtobufRenamer(options: RenamerOptions): BodyRenamer {
  const createWalker = walkersOf(options);
  return wholeBodyRenamer("Protobuf", (bytes, target) => {
    const walker = createWalker(bytes, target);
    walker.envelope({ start: 0, end: bytes.length });
    return walker.renamed ?? bytes;
  });
}

/** Renames OpenAPI version 2 in Protobuf, which has no envelope. */
export function createOpenApiRenamer(options: RenamerOptions): BodyRenamer {
  const createWalker = walkersOf(options);
  return wholeBodyRenamer("Protobuf", (bytes) => {
    const walker = createWalker(bytes, undefined);
    walker.message(openApiDocument, { start: 0, end: bytes.length });
    return walker.renamed ?? bytes;
  });
}

/** Creates one walker for each body or frame. */
function walkersOf(options: RenamerOptions) {
  const texts = new TextRenamer({
    mapping: options.mapping,
    json: createJsonRenamer(options),
    renameCel: createCelRenamer(options),
  });
  const kinds = new KindMessages(options);
  return (bytes: Uint8Array, target: Target | undefined): MessageWalker => {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return new MessageWalker(buffer, {
      texts,
      envelope: (body, range) => envelopeMessage(body, range, (kind) => kinds.of(kind, target)),
    });
  };
}
