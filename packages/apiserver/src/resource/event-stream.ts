import type { Sink } from "@rookery/http";

interface Flushable {
  flush(): void;
}

/** Fewer streams are flushed without a pause. */
const fewStreams = 16;

/** The maximum delay of an event, for batching. */
const maxPauseMs = 20;

/** The pause as a multiple of the last flush's duration. */
const pauseFactor = 4;

/**
 * Schedules the flushes of all streams: immediately, and for many streams after a pause
 * proportional to the last flush. Frequent events are thereby batched: sending ten takes hardly
 * longer than sending one.
 */
class FlushScheduler {
  #waiting = new Set<Flushable>();
  #isScheduled = false;

  add(stream: Flushable): void {
    this.#waiting.add(stream);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    // Collects the events of one tick.
    process.nextTick(() => this.#flush());
  }

  #flush(): void {
    const begun = performance.now();
    const waiting = this.#waiting;
    this.#waiting = new Set();
    for (const stream of waiting) stream.flush();
    if (waiting.size < fewStreams) this.#isScheduled = false;
    // Sockets are written at the end of a tick, before this runs.
    else setImmediate(() => this.#pause(performance.now() - begun));
  }

  #pause(tookMs: number): void {
    const pauseMs = Math.min(tookMs * pauseFactor, maxPauseMs);
    setTimeout(() => {
      if (this.#waiting.size > 0) this.#flush();
      else this.#isScheduled = false;
    }, pauseMs);
  }
}

/** Larger buffers are flushed at once, which bounds memory. */
const maxBuffered = 64 * 1024;

/** One for the process, which has one event loop. */
const scheduler = new FlushScheduler();

/**
 * Sends lines to a watcher. Lines of one turn are joined: encryption and sending dominate the cost
 * of an event.
 */
export class EventStream {
  readonly #sink: Sink;
  #lines: Uint8Array[] = [];
  #length = 0;
  #room: Promise<void> | undefined;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  /** A returned promise resolves when there is room for more. */
  send(line: Uint8Array): Promise<void> | undefined {
    this.#lines.push(line);
    this.#length += line.byteLength;
    if (this.#length >= maxBuffered) this.flush();
    // With earlier lines, a flush is scheduled already.
    else if (this.#lines.length === 1) scheduler.add(this);
    return this.#room;
  }

  flush(): void {
    const [first] = this.#lines;
    if (!first || this.#room) return;
    const piece = joined(first, this.#lines);
    this.#lines = [];
    this.#length = 0;
    if (!this.#sink.write(piece)) this.#awaitRoom();
  }

  #awaitRoom(): void {
    this.#room = this.#sink.drained().then(() => {
      this.#room = undefined;
      this.flush();
    });
    // A lost reader is noticed elsewhere.
    this.#room.catch(() => {});
  }
}

interface Joined {
  readonly lines: readonly Uint8Array[];
  readonly piece: Uint8Array;
}

/** By their first line. */
const pieces = new WeakMap<Uint8Array, Joined>();

/** Most watchers receive the same lines, which are joined once. */
function joined(first: Uint8Array, lines: readonly Uint8Array[]): Uint8Array {
  if (lines.length === 1) return first;
  const known = pieces.get(first);
  if (known && isSame(known.lines, lines)) return known.piece;
  const piece = Buffer.concat(lines);
  pieces.set(first, { lines, piece });
  return piece;
}

function isSame(some: readonly Uint8Array[], others: readonly Uint8Array[]): boolean {
  return some.length === others.length && some.every((line, index) => line === others[index]);
}
