import { type Body, type Sink, writeBody } from "@rookery/http";

/** A sink that makes something of a body. */
export interface BodyReader<R> extends Sink {
  /** Nobody waits any more: it is gone from now on. */
  fail(reason: unknown): void;
  /** Everything has come. */
  end(): R | Promise<R>;
}

/**
 * Resolves to what a reader makes of a body. Does not wait for a writer, or a callback, that goes on
 * after the reader is gone: it rejects with the reader's reason at once.
 */
export function followBody<R>(body: Body, reader: BodyReader<R>): Promise<R> {
  const { signal } = reader;
  return new Promise((resolve, reject) => {
    const onGone = () => reject(signal.reason);
    signal.addEventListener("abort", onGone, { once: true });
    if (signal.aborted) onGone();
    const write = async () => {
      await writeBody(body, reader);
      return reader.end();
    };
    write().then(resolve, (error) => {
      reader.fail(error);
      reject(error);
    });
  });
}
