import { BodyTooLargeError, BodyUsedError, DiscardedError } from "./errors.ts";
import type { Body, BodyWriter, Sink } from "./message.ts";
import { untilAborted } from "./relay-sink.ts";

const discardLimit = 256 * 1024;
const discardTimeoutMs = 1_000;

/** The length in bytes; undefined for a writer. */
export function bodyLength(body: Body): number | undefined {
  if (body === undefined) return 0;
  if (typeof body === "function") return undefined;
  if (body instanceof Uint8Array) return body.byteLength;
  let length = 0;
  for (const chunk of body) length += chunk.byteLength;
  return length;
}

/** Writes a body of any kind and respects backpressure. Rejects as a writer does. */
export function writeBody(body: Body, sink: Sink): void | Promise<void> {
  if (body === undefined) return;
  if (typeof body === "function") return body(sink);
  if (body instanceof Uint8Array) {
    sink.write(body);
    return;
  }
  return writeChunks(body, sink);
}

/** The writer throws `BodyUsedError` on its second run. */
export function singleUse(writer: BodyWriter): BodyWriter {
  let used = false;
  return (sink) => {
    if (used) throw new BodyUsedError();
    used = true;
    return writer(sink);
  };
}

/**
 * Reads a whole body, without a copy if it is one chunk. Rejects with `BodyTooLargeError` past the
 * limit, and aborts the writer.
 */
export async function collectBody(body: Body, options: { limit: number }): Promise<Uint8Array> {
  const { limit } = options;
  if (typeof body === "function") {
    const chunks: Uint8Array[] = [];
    await new LimitedSink(limit, (chunk) => chunks.push(chunk)).run(body);
    return join(chunks);
  }
  if ((bodyLength(body) ?? 0) > limit) throw new BodyTooLargeError(limit);
  return body instanceof Uint8Array ? body : join(body ?? []);
}

/**
 * Discards a body so that its connection can be reused: reads a short rest and aborts a longer
 * one; with limit 0, at once. Never rejects.
 */
export async function discardBody(
  body: Body,
  options: { limit?: number; timeoutMs?: number } = {},
): Promise<void> {
  if (typeof body !== "function") return;
  const { limit = discardLimit, timeoutMs = discardTimeoutMs } = options;
  const sink = new LimitedSink(limit, () => {});
  if (limit === 0) sink.abort(new DiscardedError());
  const timer = setTimeout(() => sink.abort(new DiscardedError()), timeoutMs);
  try {
    await sink.run(body);
  } catch {
    // The body is gone in any case.
  } finally {
    clearTimeout(timer);
  }
}

async function writeChunks(chunks: readonly Uint8Array[], sink: Sink): Promise<void> {
  for (const chunk of chunks) {
    if (!sink.write(chunk)) await sink.drained();
  }
}

function join(chunks: readonly Uint8Array[]): Uint8Array {
  const [only] = chunks;
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
}

/** Passes chunks on up to `limit` bytes, without backpressure. */
class LimitedSink implements Sink {
  readonly #gone = new AbortController();
  readonly #limit: number;
  readonly #take: (chunk: Uint8Array) => void;
  #length = 0;

  constructor(limit: number, take: (chunk: Uint8Array) => void) {
    this.#limit = limit;
    this.#take = take;
  }

  get signal(): AbortSignal {
    return this.#gone.signal;
  }

  write(chunk: Uint8Array): boolean {
    if (this.signal.aborted) return false;
    this.#length += chunk.byteLength;
    if (this.#length > this.#limit) {
      this.abort(new BodyTooLargeError(this.#limit));
      return false;
    }
    this.#take(chunk);
    return true;
  }

  drained(): Promise<void> {
    return this.signal.aborted ? Promise.reject(this.signal.reason) : Promise.resolve();
  }

  abort(reason: Error): void {
    this.#gone.abort(reason);
  }

  /** Does not wait for a writer that continues after the sink is gone. */
  run(writer: BodyWriter): Promise<void> {
    return untilAborted(this.signal, () => writer(this));
  }
}
