import {
  type Body,
  type BodyWriter,
  headerValue,
  type Interceptor,
  type Sink,
  singleUse,
  writeBody,
} from "@rookery/http";
import { DrainedError } from "./errors.ts";
import { createFrameBoundary, type FrameBoundary } from "./frame-boundary.ts";
import { isStream } from "./long-running.ts";

/**
 * Ends watches and followed logs when `draining` is aborted, as an API server that stops does it: after
 * a whole event and cleanly, so that clients watch on elsewhere from where they were.
 */
export function endStreams(draining: AbortSignal): Interceptor {
  return (next) => async (request) => {
    const response = await next(request);
    if (!isStream(request) || typeof response.body !== "function") return response;
    const frames = createFrameBoundary(headerValue(response.headers, "content-type") ?? "");
    return { ...response, body: endable(response.body, frames, draining) };
  };
}

function endable(body: Body, frames: FrameBoundary, draining: AbortSignal): BodyWriter {
  return singleUse(async (sink) => {
    const stream = new EndableSink(sink, frames, draining);
    try {
      await writeBody(body, stream);
    } catch (error) {
      if (!stream.ended) throw error;
    } finally {
      stream.release();
    }
  });
}

/** Gone for its writer as soon as a frame ends while the proxy drains. */
class EndableSink implements Sink {
  readonly #sink: Sink;
  readonly #frames: FrameBoundary;
  readonly #draining: AbortSignal;
  readonly #gone = new AbortController();
  ended = false;

  constructor(sink: Sink, frames: FrameBoundary, draining: AbortSignal) {
    this.#sink = sink;
    this.#frames = frames;
    this.#draining = draining;
    draining.addEventListener("abort", this.#endIfPossible);
    sink.signal.addEventListener("abort", this.#onGone);
    if (sink.signal.aborted) this.#onGone();
    else this.#endIfPossible();
  }

  get signal(): AbortSignal {
    return this.#gone.signal;
  }

  write(chunk: Uint8Array): boolean {
    if (this.signal.aborted) return false;
    this.#frames.push(chunk);
    const room = this.#sink.write(chunk);
    this.#endIfPossible();
    return room && !this.ended;
  }

  drained(): Promise<void> {
    return this.signal.aborted ? Promise.reject(this.signal.reason) : this.#sink.drained();
  }

  release(): void {
    this.#draining.removeEventListener("abort", this.#endIfPossible);
    this.#sink.signal.removeEventListener("abort", this.#onGone);
  }

  readonly #endIfPossible = (): void => {
    if (this.ended || !this.#draining.aborted || !this.#frames.isAtBoundary) return;
    this.ended = true;
    this.#gone.abort(new DrainedError());
  };

  readonly #onGone = (): void => this.#gone.abort(this.#sink.signal.reason);
}
