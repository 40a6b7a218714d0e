import type { Writable } from "node:stream";

/** Says the last. Resolves when it is sent, or nobody takes it any more. */
export function endWith(stream: Writable, text = ""): Promise<void> {
  if (stream.destroyed || stream.writableFinished) return Promise.resolve();
  return new Promise((resolve) => {
    stream.once("finish", resolve).once("close", resolve);
    stream.end(text);
  });
}
