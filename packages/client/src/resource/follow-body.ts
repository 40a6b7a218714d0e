import { type Body, type Sink, untilAborted, writeBody } from "@rookery/http";

/** A sink that makes something of a body. */
export interface BodyReader<R> extends Sink {
  /** Nobody waits any more: it is gone from now on. */
  fail(reason: unknown): void;
  /** Everything has come. */
  end(): R | Promise<R>;
}

/**
 * Resolves to the result of a reader. Rejects with the reader's reason as soon as it is gone, without
 * waiting for a writer or a callback that continues.
 */
export function followBody<R>(body: Body, reader: BodyReader<R>): Promise<R> {
  return untilAborted(reader.signal, async () => {
    try {
      await writeBody(body, reader);
      return await reader.end();
    } catch (error) {
      reader.fail(error);
      throw error;
    }
  });
}
