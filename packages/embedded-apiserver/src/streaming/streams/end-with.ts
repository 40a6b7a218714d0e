import type { Duplex, Writable } from "node:stream";

/** Says the last. Resolves when it is sent, or nobody takes it any more. */
export function endWith(stream: Writable, text = ""): Promise<void> {
  if (stream.destroyed || stream.writableFinished) return Promise.resolve();
  return new Promise((resolve) => {
    stream.once("finish", resolve).once("close", resolve);
    stream.end(text);
  });
}

/** Ends a connection that would go on for long when the server stops. */
export function endWithServer(peer: Duplex, draining: AbortSignal): void {
  const end = () => peer.destroy();
  if (draining.aborted) end();
  draining.addEventListener("abort", end, { once: true });
  peer.once("close", () => draining.removeEventListener("abort", end));
}
