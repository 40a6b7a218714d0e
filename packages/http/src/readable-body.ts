import type { Readable } from "node:stream";
import { singleUse } from "./body.ts";
import { PeerGoneError } from "./errors.ts";
import type { BodyWriter, Sink } from "./message.ts";

export interface ReadableBodyOptions {
  /** Called on the first read. */
  readonly onStart: () => void;
  /** Called at the end of the stream, which node:http2 also emits for a reset. */
  readonly isComplete: () => boolean;
  /** Aborted when the peer is gone. */
  readonly signal: AbortSignal;
}

/** The body of a received request. */
export function readableBody(readable: Readable, options: ReadableBodyOptions): BodyWriter {
  return singleUse((sink) => {
    options.onStart();
    return pump(readable, sink, options);
  });
}

function pump(readable: Readable, sink: Sink, options: ReadableBodyOptions): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let isWhole = false;
  const onData = (chunk: Buffer) => {
    if (sink.write(chunk)) return;
    readable.pause();
    sink.drained().then(() => readable.resume(), reject);
  };
  // Each stream closes after its end; creating an error for that would be slow.
  const onGone = () => isWhole || reject(options.signal.reason ?? new PeerGoneError());
  const onEnd = () => {
    isWhole = options.isComplete();
    if (isWhole) resolve();
    else onGone();
  };
  const onUnwanted = () => reject(sink.signal.reason);
  sink.signal.addEventListener("abort", onUnwanted);
  readable.on("data", onData).on("end", onEnd).on("error", onGone).on("close", onGone);
  if (readable.destroyed) onGone();
  if (sink.signal.aborted) onUnwanted();
  return promise.finally(() => {
    sink.signal.removeEventListener("abort", onUnwanted);
    readable.off("data", onData).off("end", onEnd).off("error", onGone).off("close", onGone);
    readable.pause();
  });
}
