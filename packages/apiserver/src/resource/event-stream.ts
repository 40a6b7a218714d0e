import type { Sink } from "@rookery/http";

/** What sends what it has gathered. */
interface Gathering {
  flush(): void;
}

/** Fewer are sent to in no time: what comes next is theirs at once. */
const fewGatherings = 16;

/** How late an event may be, at most, for the sake of those that come with it. */
const longestPauseMs = 20;

/** How many times as long as it took to send the last time. */
const pauseFactor = 4;

/**
 * When those who gather send: at once, and where they are many, again after a pause that is a few
 * times as long as it took to send. Events that come faster than they can be sent to everyone share
 * a turn then: to send ten together takes hardly longer than to send one, and requests go on.
 */
class Turns {
  #waiting = new Set<Gathering>();
  #isTaken = false;

  add(gathering: Gathering): void {
    this.#waiting.add(gathering);
    if (this.#isTaken) return;
    this.#isTaken = true;
    // What is told of together comes in one go.
    process.nextTick(() => this.#flush());
  }

  #flush(): void {
    const begun = performance.now();
    const waiting = this.#waiting;
    this.#waiting = new Set();
    for (const gathering of waiting) gathering.flush();
    if (waiting.size < fewGatherings) this.#isTaken = false;
    // Sockets are written to at the end of a tick, hence before this.
    else setImmediate(() => this.#pause(performance.now() - begun));
  }

  #pause(tookMs: number): void {
    const pauseMs = Math.min(tookMs * pauseFactor, longestPauseMs);
    setTimeout(() => {
      if (this.#waiting.size > 0) this.#flush();
      else this.#isTaken = false;
    }, pauseMs);
  }
}

/** What is gathered beyond this is sent at once: a long list is not held in memory a second time. */
const maxGathered = 64 * 1024;

/** Of the process, as it has one event loop, which all who watch share. */
const turns = new Turns();

/**
 * Sends lines to one who watches. What comes within a turn is sent as one piece: to encrypt and send
 * it takes longer than all else that is done for an event.
 */
export class EventStream {
  readonly #sink: Sink;
  #lines: Uint8Array[] = [];
  #length = 0;
  #room: Promise<void> | undefined;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  /** Where it gives a promise, there is room for more when that resolves. */
  send(line: Uint8Array): Promise<void> | undefined {
    this.#lines.push(line);
    this.#length += line.byteLength;
    if (this.#length >= maxGathered) this.flush();
    // Who has lines already has a turn, or waits for room.
    else if (this.#lines.length === 1) turns.add(this);
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
    // Where the reader goes away while nothing is sent, nobody waits to hear of it here.
    this.#room.catch(() => {});
  }
}

interface Joined {
  readonly lines: readonly Uint8Array[];
  readonly piece: Uint8Array;
}

/** By the first of them. */
const pieces = new WeakMap<Uint8Array, Joined>();

/** Most who watch are sent the same lines: those are joined once. */
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
