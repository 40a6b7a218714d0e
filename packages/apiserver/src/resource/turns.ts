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
export class Turns {
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
