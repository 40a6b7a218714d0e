import { Duplex } from "node:stream";

/** What a peer may send ahead of its reader, on each stream. */
const readAhead = 64 * 1024;

export interface FedStreamOptions {
  /** Sends a chunk; the callback asks for the next one. */
  readonly send: (chunk: Buffer, done: (error?: Error | null) => void) => void;
  /** Tells the peer that nothing more comes. */
  readonly sendEnd: (done: (error?: Error | null) => void) => void;
  /** It is closed; `isWhole` where both sides had said all that they had to say. */
  readonly onClose: (isWhole: boolean) => void;
}

/** One of the streams that share a connection: who reads the connection feeds it. */
export class FedStream extends Duplex {
  readonly #options: FedStreamOptions;
  #room: PromiseWithResolvers<void> | undefined;
  #isEnded = false;

  constructor(options: FedStreamOptions) {
    super({ readableHighWaterMark: readAhead, writableHighWaterMark: readAhead });
    this.#options = options;
    // Who leaves is no error of a stream; that it is closed says all.
    this.on("error", () => {});
  }

  /** Takes what came for it; a promise where the peer has to wait until someone reads. */
  feed(data: Buffer): Promise<void> | undefined {
    if (this.destroyed || this.#isEnded || data.length === 0 || this.push(data)) return undefined;
    this.#room ??= Promise.withResolvers();
    return this.#room.promise;
  }

  /** The peer has no more to say. */
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

/** How often a peer that has to wait is asked whether it is still there. */
const probeIntervalMs = 10_000;

/** Waits for room. Meanwhile nothing is read that would tell that the peer has left: so it is asked. */
export async function waitForRoom(room: Promise<void>, probe: () => void): Promise<void> {
  const timer = setInterval(probe, probeIntervalMs);
  try {
    await room;
  } finally {
    clearInterval(timer);
  }
}
