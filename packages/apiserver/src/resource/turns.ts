/** What sends what it has gathered. */
interface Gathering {
  flush(): void;
}

/** Fewer are sent to in no time: what comes next is theirs at once. */
const fewGatherings = 16;

/** How late an event may be, at most, for the sake of those that come with it. */
const longestPauseMs = 20;

/**
 * When those who gather send: at once, and where they are many, again after a pause as long as it
 * took to send the last time. Events that come faster than they can be sent to everyone share a
 * turn then, and half of the time is left for requests.
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
    else setImmediate(() => this.#pause(Math.min(performance.now() - begun, longestPauseMs)));
  }

  #pause(milliseconds: number): void {
    setTimeout(() => {
      if (this.#waiting.size > 0) this.#flush();
      else this.#isTaken = false;
    }, milliseconds);
  }
}
