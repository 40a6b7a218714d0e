import { BodyTooLargeError, BodyUsedError, DiscardedError } from "./errors.ts";
import type { Body, BodyWriter, Sink } from "./message.ts";
import { untilAborted } from "./relay-sink.ts";

const discardLimit = 256 * 1024;
const discardTimeoutMs = 1_000;

/** The length in bytes; undefined for a writer, whose length shows only when it has run. */
export function bodyLength(body: Body): number | undefined {
  if (body === undefined) return 0;
  if (typeof body === "function") return undefined;
  if (body instanceof Uint8Array) return body.byteLength;
  let length = 0;
  for (const chunk of body) length += chunk.byteLength;
  return length;
}

/** Writes a body of any kind; waits where the sink has no room. Rejects as a writer does. */
export function writeBody(body: Body, sink: Sink): void | Promise<void> {
  if (body === undefined) return;
  if (typeof body === "function") return body(sink);
  if (body instanceof Uint8Array) {
    sink.write(body);
    return;
  }
  return writeChunks(body, sink);
}

/** Makes a writer that throws `BodyUsedError` when it is run a second time. */
export function singleUse(writer: BodyWriter): BodyWriter {
  let used = false;
  return (sink) => {
    if (used) throw new BodyUsedError();
    used = true;
    return writer(sink);
  };
}

/**
 * Reads a body into one piece of bytes, without a copy where it comes in one. Rejects with
 * `BodyTooLargeError` as soon as it passes the limit, and stops its writer.
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
 * Gets rid of a body that nobody wants, so that its connection can be used again: reads a rest that
 * is short in bytes and in time, and cuts off a longer one; with limit 0, at once. Never rejects.
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
    // Broken off, used before or cut off here: gone in any case.
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

/** Hands chunks on, always with room, until they are more than `limit` bytes. */
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
