import { encodeFrame, FrameReader } from "@rookery/kube";
import type { BodyRenamer, RenameStream, Target } from "../body-renamer.ts";
import type { RenamerOptions } from "../rules/field-rule.ts";
import { endFrames, readFrames } from "./frames.ts";
import { embedded, message } from "./message.ts";
import { WalkerFactory } from "./walker-factory.ts";

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
