import {
  type Body,
  type BodyWriter,
  headerValue,
  type Interceptor,
  RelaySink,
  type Sink,
  singleUse,
  writeBody,
} from "@rookery/http";
import { DrainedError } from "./errors.ts";
import { createFrameBoundary, type FrameBoundary } from "./frame-boundary.ts";
import { isStream } from "./long-running.ts";

/**
 * Ends watches and followed logs when `draining` is aborted, as an API server does: cleanly after
 * a whole event, so that clients continue elsewhere.
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

/** Aborts its writer at the end of a frame while the proxy drains. */
class EndableSink extends RelaySink {
  readonly #frames: FrameBoundary;
  readonly #draining: AbortSignal;
  ended = false;

  constructor(sink: Sink, frames: FrameBoundary, draining: AbortSignal) {
    super(sink);
    this.#frames = frames;
    this.#draining = draining;
    draining.addEventListener("abort", this.#endIfPossible);
    if (!sink.signal.aborted) this.#endIfPossible();
  }

  write(chunk: Uint8Array): boolean {
    if (this.signal.aborted) return false;
    this.#frames.push(chunk);
    const room = this.inner.write(chunk);
    this.#endIfPossible();
    return room && !this.ended;
  }

  override release(): void {
    this.#draining.removeEventListener("abort", this.#endIfPossible);
    super.release();
  }

  readonly #endIfPossible = (): void => {
    if (this.ended || !this.#draining.aborted || !this.#frames.isAtBoundary) return;
    this.ended = true;
    this.abort(new DrainedError());
  };
}
