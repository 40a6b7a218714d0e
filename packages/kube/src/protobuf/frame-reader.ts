import { FrameError } from "../errors.ts";

const headerLength = 4;

/** client-go's limit for one event of a watch. */
const defaultMaxFrameBytes = 16 * 1024 * 1024;

/**
 * Splits a watch stream into frames, each with a length of four bytes, big-endian. Chunks may end
 * anywhere. A frame within one chunk is a view of it. Memory is only allocated for received bytes.
 */
export class FrameReader {
  readonly #maxFrameBytes: number;
  /** Parts of the incomplete frame or header. */
  #parts: Uint8Array[] = [];
  #received = 0;
  /** The length of the current frame; undefined while its header is incomplete. */
  #expected: number | undefined;

  constructor({ maxFrameBytes = defaultMaxFrameBytes }: { maxFrameBytes?: number } = {}) {
    this.#maxFrameBytes = maxFrameBytes;
  }

  /**
   * Returns the frames that the chunk completes. Throws a FrameError for a frame that is too long,
   * and for all data after it.
   */
  push(chunk: Uint8Array): Uint8Array[] {
    this.#checkLength();
    const frames: Uint8Array[] = [];
    let rest = chunk;
    for (;;) {
      const missing = (this.#expected ?? headerLength) - this.#received;
      this.#parts.push(rest.subarray(0, missing));
      this.#received += Math.min(missing, rest.length);
      if (rest.length < missing) return frames;
      rest = rest.subarray(missing);
      this.#complete(frames);
    }
  }

  /** Throws a FrameError where the last frame is incomplete. */
  end(): void {
    if (this.#received > 0 || this.#expected !== undefined) {
      throw new FrameError("the stream ends within a frame");
    }
  }

  #complete(frames: Uint8Array[]): void {
    const bytes = join(this.#parts, this.#received);
    this.#parts = [];
    this.#received = 0;
    if (this.#expected !== undefined) {
      this.#expected = undefined;
      frames.push(bytes);
      return;
    }
    const length = new DataView(bytes.buffer, bytes.byteOffset, headerLength).getUint32(0);
    this.#expected = length;
    this.#checkLength();
  }

  #checkLength(): void {
    const length = this.#expected ?? 0;
    if (length <= this.#maxFrameBytes) return;
    const limit = this.#maxFrameBytes;
    throw new FrameError(`a frame of ${length} bytes is longer than the limit of ${limit}`);
  }
}

function join(parts: readonly Uint8Array[], length: number): Uint8Array {
  const filled = parts.filter((part) => part.length > 0);
  if (filled.length === 1 && filled[0] !== undefined) return filled[0];
  const result = new Uint8Array(length);
  let at = 0;
  for (const part of filled) {
    result.set(part, at);
    at += part.length;
  }
  return result;
}

/** The header and the payload of a frame. */
export function encodeFrame(payload: Uint8Array): readonly [Uint8Array, Uint8Array] {
  const header = new Uint8Array(headerLength);
  new DataView(header.buffer).setUint32(0, payload.length);
  return [header, payload];
}
