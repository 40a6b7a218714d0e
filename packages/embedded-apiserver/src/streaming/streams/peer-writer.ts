import { once } from "node:events";
import type { Duplex, Writable } from "node:stream";
import { ProtocolError } from "../../errors.ts";

/** How long a peer may take to close its side. */
const lingerMs = 5_000;

/**
 * Handles the frames of a peer until it ends or violates the protocol, then calls `close`. Waits for a
 * promise of the handler, so that the peer has to wait, too.
 */
export async function servePeer<Frame>(
  peer: Duplex,
  read: (chunk: Buffer) => Iterable<Frame>,
  { handle, close }: { handle: (frame: Frame) => Promise<void> | undefined; close: () => void },
): Promise<void> {
  try {
    for await (const chunk of peer.iterator({ destroyOnReturn: false })) {
      for (const frame of read(chunk)) await handle(frame);
    }
    // A peer that has ended no longer reads.
    peer.destroy();
  } catch (error) {
    if (!(error instanceof ProtocolError)) peer.destroy();
  }
  close();
  // Lets the peer's end be noticed.
  peer.resume();
}

/** The sending side of a multiplexed connection. */
export class PeerWriter {
  readonly #peer: Duplex;
  readonly #gone = new AbortController();

  constructor(peer: Duplex) {
    this.#peer = peer;
    peer.on("error", () => {});
    peer.once("close", () => this.#gone.abort());
    if (peer.destroyed) this.#gone.abort();
  }

  /** Aborted when the peer is gone. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  /** Sends a message; returns a promise if the sender should wait. */
  send(...parts: readonly Uint8Array[]): Promise<void> | undefined {
    if (this.#peer.destroyed || this.#peer.writableEnded) return undefined;
    return this.#write(parts) ? undefined : this.#drained();
  }

  /** Sends a chunk of a stream; calls back when there is room for the next one. */
  pass(parts: readonly Uint8Array[], done: (error?: Error | null) => void): void {
    const room = this.send(...parts);
    if (room) void room.then(() => done());
    else done();
  }

  /** Sends the last message and closes, with a timeout for the peer. */
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
    // A lost peer unblocks its senders.
    await once(this.#peer, "drain", { signal: this.gone }).catch(() => {});
  }
}

/** Ends a stream. Resolves when it is sent or the stream is closed. */
export function endWith(stream: Writable, text = ""): Promise<void> {
  if (stream.destroyed || stream.writableFinished) return Promise.resolve();
  return new Promise((resolve) => {
    stream.once("finish", resolve).once("close", resolve);
    stream.end(text);
  });
}

/** Destroys a long-lived connection when the server stops. */
export function endWithServer(peer: Duplex, draining: AbortSignal): void {
  const end = () => peer.destroy();
  if (draining.aborted) end();
  draining.addEventListener("abort", end, { once: true });
  peer.once("close", () => draining.removeEventListener("abort", end));
}
