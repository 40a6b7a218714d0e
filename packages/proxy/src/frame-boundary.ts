/** Tracks whether a stream is between two frames. */
export interface FrameBoundary {
  push(chunk: Uint8Array): void;
  readonly isAtBoundary: boolean;
}

/** The frames of a media type; text may end anywhere. */
export function createFrameBoundary(contentType: string): FrameBoundary {
  if (/;\s*stream=watch/i.test(contentType) && /protobuf/i.test(contentType)) {
    return new LengthPrefixedFrames();
  }
  return /^application\//i.test(contentType) ? new Lines() : anywhere;
}

const anywhere: FrameBoundary = { push() {}, isAtBoundary: true };

const newline = 0x0a;

/** JSON events, each with a final line feed. */
class Lines implements FrameBoundary {
  #last = newline;

  push(chunk: Uint8Array): void {
    this.#last = chunk.at(-1) ?? this.#last;
  }

  get isAtBoundary(): boolean {
    return this.#last === newline;
  }
}

/** Protobuf events with a length in four bytes, big-endian. */
class LengthPrefixedFrames implements FrameBoundary {
  #lengthBytes = 0;
  #length = 0;
  #left = 0;

  push(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; ) {
      if (this.#left > 0) {
        const taken = Math.min(this.#left, chunk.length - at);
        this.#left -= taken;
        at += taken;
      } else this.#pushLength(chunk[at++] ?? 0);
    }
  }

  get isAtBoundary(): boolean {
    return this.#left === 0 && this.#lengthBytes === 0;
  }

  #pushLength(byte: number): void {
    this.#length = this.#length * 256 + byte;
    this.#lengthBytes++;
    if (this.#lengthBytes < 4) return;
    this.#left = this.#length;
    this.#length = 0;
    this.#lengthBytes = 0;
  }
}
