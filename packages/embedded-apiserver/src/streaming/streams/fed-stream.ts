import { Duplex } from "node:stream";

/** How much a peer may send ahead of the reader of each stream. */
const readAhead = 64 * 1024;

export interface FedStreamOptions {
  /** Sends a chunk; the callback requests the next one. */
  readonly send: (chunk: Buffer, done: (error?: Error | null) => void) => void;
  /** Sends the end of the stream. */
  readonly sendEnd: (done: (error?: Error | null) => void) => void;
  /** `isWhole` if both sides had ended. */
  readonly onClose: (isWhole: boolean) => void;
}

/** A stream of a multiplexed connection: the connection's reader feeds it. */
export class FedStream extends Duplex {
  readonly #options: FedStreamOptions;
  #room: PromiseWithResolvers<void> | undefined;
  #isEnded = false;

  constructor(options: FedStreamOptions) {
    super({ readableHighWaterMark: readAhead, writableHighWaterMark: readAhead });
    this.#options = options;
    // A leaving peer is no error.
    this.on("error", () => {});
  }

  /** Feeds received data; returns a promise if the peer has to wait for the reader. */
  feed(data: Buffer): Promise<void> | undefined {
    if (this.destroyed || this.#isEnded || data.length === 0 || this.push(data)) return undefined;
    this.#room ??= Promise.withResolvers();
    return this.#room.promise;
  }

  /** Feeds the end. */
  endFeed(): void {
    if (this.destroyed || this.#isEnded) return;
    this.#isEnded = true;
    this.push(null);
  }

  override _read(): void {
    this.#room?.resolve();
    this.#room = undefined;
  }

  override _write(
    chunk: Buffer,
    _: BufferEncoding,
    done: (error?: Error | null | undefined) => void,
  ): void {
    this.#options.send(chunk, done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#options.sendEnd(done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this._read();
    this.#options.onClose(this.readableEnded && this.writableFinished);
    done(error);
  }
}

/** How often a blocked peer is probed. */
const probeIntervalMs = 10_000;

/**
 * Waits until the reader has room. Meanwhile the connection is not read, so that probes have to
 * detect a lost peer.
 */
export async function waitForRoom(room: Promise<void>, probe: () => void): Promise<void> {
  const timer = setInterval(probe, probeIntervalMs);
  try {
    await room;
  } finally {
    clearInterval(timer);
  }
}
