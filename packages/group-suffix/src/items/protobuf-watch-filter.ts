import { encodeFrame, FrameReader } from "@rookery/kube";
import { endFrames, readFrames } from "../protobuf/frames.ts";
import type { ItemFilter, KeepNamespace } from "./item-filter.ts";
import { namespaceOfFrame } from "./protobuf-namespace.ts";

export class ProtobufWatchFilter implements ItemFilter {
  passed = 0;
  dropped = 0;
  readonly #keep: KeepNamespace;
  readonly #reader = new FrameReader();

  constructor(keep: KeepNamespace) {
    this.#keep = keep;
  }

  push(chunk: Uint8Array): readonly Uint8Array[] {
    const frames = readFrames(this.#reader, chunk);
    return frames.flatMap((frame) => (this.#passes(frame) ? encodeFrame(frame) : []));
  }

  end(): readonly Uint8Array[] {
    endFrames(this.#reader);
    return [];
  }

  #passes(frame: Uint8Array): boolean {
    const bytes = Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength);
    const namespace = namespaceOfFrame(bytes);
    const passes = namespace !== undefined && this.#keep(namespace);
    if (passes) this.passed++;
    else this.dropped++;
    return passes;
  }
}
