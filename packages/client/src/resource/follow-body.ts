import { type Body, type Sink, untilAborted, writeBody } from "@rookery/http";

/** A sink that produces a result. */
export interface BodyReader<R> extends Sink {
  /** Aborts the reader. */
  fail(reason: unknown): void;
  /** Called at the end of the body. */
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
