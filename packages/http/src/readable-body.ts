import type { Readable } from "node:stream";
import { singleUse } from "./body.ts";
import { PeerGoneError } from "./errors.ts";
import type { BodyWriter, Sink } from "./message.ts";

export interface ReadableBodyOptions {
  /** Called when somebody begins to read. */
  readonly onStart: () => void;
  /** Asked at the end of the stream, which node:http2 also reports of a stream that was reset. */
  readonly isComplete: () => boolean;
  /** Aborted when the peer is gone. */
  readonly signal: AbortSignal;
}

/** The body of a request that node:http or node:http2 received. */
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
  // Each stream closes after its end: to make an error of that would cost more than to read it.
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
