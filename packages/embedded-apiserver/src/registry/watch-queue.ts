type Answer<T> = T | Promise<T>;

/** How far a watcher may lag behind before it is given up, as kube-apiserver does. */
const maxQueued = 1000;
/** Few large objects keep as much memory as many small ones. */
const maxQueuedBytes = 16 * 1024 * 1024;

interface Queued<T> {
  readonly item: Answer<T | undefined>;
  readonly bytes: number;
}

/**
 * Sends one thing after another, at once while the reader takes them, and ends where it falls too
 * far behind.
 */
export class WatchQueue<T> {
  readonly #send: (item: T) => Answer<void>;
  readonly #ended = Promise.withResolvers<void>();
  #first: Iterator<Answer<T | undefined>> | undefined;
  #queued: Queued<T>[] = [];
  #queuedBytes = 0;
  /** Settled when the reader has taken what it was last given. */
  #sending: Promise<void> | undefined;
  #isOver = false;
  #isBehind = false;

  constructor(send: (item: T) => Answer<void>) {
    this.#send = send;
    // It may fail when nobody waits for it any more.
    this.#ended.promise.catch(() => {});
  }

  /** Resolves when nothing more will be sent, rejects where the reader fails. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** Whether everything has been handed to the reader. */
  get isIdle(): boolean {
    return !this.#sending && !this.#first && this.#queued.length === 0;
  }

  /** After the end of a reader that fell too far behind: resolves when it has taken what it has. */
  get caughtUp(): Promise<void> | undefined {
    return this.#isBehind ? this.#sending : undefined;
  }

  /**
   * Items that come to nothing are left out; those that take time keep their place. `bytes` is what
   * one keeps in memory.
   */
  push(item: Answer<T | undefined>, bytes = 0): void {
    // That it failed is told when its turn comes, if it ever does.
    if (item instanceof Promise) item.catch(() => {});
    if (this.#isOver || item === undefined) return;
    // Most readers keep up: what they are told needs no place in a line.
    if (this.isIdle) {
      this.#sendNext(item);
      return;
    }
    if (this.#queued.length >= maxQueued || this.#queuedBytes > maxQueuedBytes) {
      this.#isBehind = true;
      this.end();
      return;
    }
    this.#queued.push({ item, bytes });
    this.#queuedBytes += bytes;
    this.#sendAll();
  }

  /** Sends many that were there before, as fast as the reader takes them: they are made only then. */
  sendFirst(items: Iterable<Answer<T | undefined>>): void {
    this.#first = items[Symbol.iterator]();
    this.#sendAll();
  }

  end(): void {
    this.#stop();
    this.#ended.resolve();
  }

  fail(error: unknown): void {
    this.#stop();
    this.#ended.reject(error);
  }

  #stop(): void {
    this.#isOver = true;
    this.#first = undefined;
    this.#queued = [];
  }

  #sendAll(): void {
    try {
      while (!this.#isOver && !this.#sending) {
        const next = this.#next();
        if (!next) return;
        if (next.item !== undefined) this.#sendNext(next.item);
      }
    } catch (error) {
      this.fail(error);
    }
  }

  #sendNext(item: T | Promise<T | undefined>): void {
    try {
      const sent = item instanceof Promise ? this.#sendLater(item) : this.#send(item);
      if (sent) this.#await(sent);
    } catch (error) {
      this.fail(error);
    }
  }

  #next(): { readonly item: Answer<T | undefined> } | undefined {
    const first = this.#first?.next();
    if (first && !first.done) return { item: first.value };
    this.#first = undefined;
    const queued = this.#queued.shift();
    this.#queuedBytes -= queued?.bytes ?? 0;
    return queued;
  }

  #await(sent: Promise<void>): void {
    this.#sending = sent.then(
      () => {
        this.#sending = undefined;
        this.#sendAll();
      },
      (error: unknown) => {
        this.#sending = undefined;
        this.fail(error);
      },
    );
  }

  async #sendLater(item: Promise<T | undefined>): Promise<void> {
    const ready = await item;
    if (ready !== undefined && !this.#isOver) await this.#send(ready);
  }
}
