import { encodeFrame, FrameReader } from "@rookery/kube";
import { endFrames, readFrames } from "../protobuf/frames.ts";
import { NamespaceFilter } from "./namespace-filter.ts";
import { namespaceOfFrame } from "./protobuf-namespace.ts";

export class ProtobufWatchFilter extends NamespaceFilter {
  readonly #reader = new FrameReader();

  push(chunk: Uint8Array): readonly Uint8Array[] {
    const frames = readFrames(this.#reader, chunk);
    return frames.flatMap((frame) => {
      const bytes = Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength);
      return this.passes(namespaceOfFrame(bytes)) ? encodeFrame(frame) : [];
    });
  }

  end(): readonly Uint8Array[] {
    endFrames(this.#reader);
    return [];
  }
}
