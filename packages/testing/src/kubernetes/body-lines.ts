import { type Body, writeBody } from "@rookery/http";

/** Reads a body line by line; leaving the loop stops its writer. */
export async function* bodyLines(body: Body): AsyncGenerator<string, void, void> {
  let rest = "";
  for await (const text of bodyStream(body).pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}

function bodyStream(body: Body): ReadableStream<Uint8Array<ArrayBuffer>> {
  const gone = new AbortController();
  const { signal } = gone;
  return new ReadableStream({
    start(controller) {
      const write = (chunk: Uint8Array) => {
        if (!signal.aborted) controller.enqueue(new Uint8Array(chunk));
        return true;
      };
      const drained = async () => signal.throwIfAborted();
      const written = async () => writeBody(body, { write, drained, signal });
      written().then(
        () => signal.aborted || controller.close(),
        (error) => signal.aborted || controller.error(error),
      );
    },
    cancel: (reason) => gone.abort(reason),
  });
}
