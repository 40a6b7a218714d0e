import { encodeFrame, FrameError, FrameReader } from "@rookery/kube";
import type { BodyRenamer, RenameStream, Target } from "../body-renamer.ts";
import { TruncatedBodyError } from "../errors.ts";
import type { RenamerOptions } from "../rules/field-rule.ts";

import { embedded, message } from "./message.ts";
import { WalkerFactory } from "./walker-factory.ts";
import { unreadable } from "./wire-cursor.ts";

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
  const chunks = [...stream.push(body), ...stream.end()];
  return stream.changed ? Buffer.concat(chunks) : body;
}

class FrameStream implements RenameStream {
  /** Whether a frame went on that is not what it was. */
  changed = false;
  readonly #rename: RenameFrame;
  readonly #reader = new FrameReader();

  constructor(rename: RenameFrame) {
    this.#rename = rename;
  }

  push(chunk: Uint8Array): readonly Uint8Array[] {
    return readable(() => this.#reader.push(chunk)).flatMap((frame) => {
      const renamed = this.#rename(frame);
      this.changed ||= renamed !== frame;
      return encodeFrame(renamed);
    });
  }

  end(): readonly Uint8Array[] {
    try {
      this.#reader.end();
    } catch (error) {
      if (error instanceof FrameError) throw new TruncatedBodyError("Protobuf");
      throw error;
    }
    return [];
  }
}

function readable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof FrameError) throw unreadable(error.message);
    throw error;
  }
}
