import { once } from "node:events";
import type { Duplex, Writable } from "node:stream";

/** How long a peer has to close its side after it was told that all is said. */
const lingerMs = 5_000;

/** The sending side of a connection that many streams share. */
export class PeerWriter {
  readonly #peer: Duplex;
  readonly #gone = new AbortController();

  constructor(peer: Duplex) {
    this.#peer = peer;
    peer.on("error", () => {});
    peer.once("close", () => this.#gone.abort());
    if (peer.destroyed) this.#gone.abort();
  }

  /** Aborted when the peer has gone. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  /** Sends a message of its own accord: who sends many waits for the promise, where there is one. */
  send(...parts: readonly Uint8Array[]): Promise<void> | undefined {
    if (this.#peer.destroyed || this.#peer.writableEnded) return undefined;
    return this.#write(parts) ? undefined : this.#drained();
  }

  /** Sends a part of a stream and calls back when there is room for the next one. */
  pass(parts: readonly Uint8Array[], done: (error?: Error | null) => void): void {
    const room = this.send(...parts);
    if (room) void room.then(() => done());
    else done();
  }

  /** Says the last and closes. A peer that does not close its side is not waited for. */
  end(...parts: readonly Uint8Array[]): void {
    void this.send(...parts);
    this.#peer.end();
    const timer = setTimeout(() => this.#peer.destroy(), lingerMs);
    this.#peer.once("close", () => clearTimeout(timer));
  }

  #write(parts: readonly Uint8Array[]): boolean {
    this.#peer.cork();
    for (const part of parts) this.#peer.write(part);
    this.#peer.uncork();
    return !this.#peer.writableNeedDrain;
  }

  async #drained(): Promise<void> {
    // Whoever has gone takes no more: then nobody needs to wait.
    await once(this.#peer, "drain", { signal: this.gone }).catch(() => {});
  }
}

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
