type Answer<T> = T | Promise<T>;

/** How many events a watcher may lag behind, as in kube-apiserver. */
const maxQueued = 1000;
/** Bounds the memory of large objects. */
const maxQueuedBytes = 16 * 1024 * 1024;

interface Queued<T> {
  readonly item: Answer<T | undefined>;
  readonly bytes: number;
}

/**
 * Sends items in order, directly while the reader keeps up. Ends if the reader falls too far
 * behind.
 */
export class WatchQueue<T> {
  readonly #send: (item: T) => Answer<void>;
  readonly #ended = Promise.withResolvers<void>();
  #first: Iterator<Answer<T | undefined>> | undefined;
  #queued: Queued<T>[] = [];
  #queuedBytes = 0;
  /** Settles when the reader has taken the last item. */
  #sending: Promise<void> | undefined;
  #isOver = false;
  #isBehind = false;

  constructor(send: (item: T) => Answer<void>) {
    this.#send = send;
    // It may reject after its last waiter is gone.
    this.#ended.promise.catch(() => {});
  }

  /** Resolves after the last item; rejects if the reader fails. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  get isIdle(): boolean {
    return !this.#sending && !this.#first && this.#queued.length === 0;
  }

  /** Set after a slow reader was ended: resolves when it has taken its last item. */
  get caughtUp(): Promise<void> | undefined {
    return this.#isBehind ? this.#sending : undefined;
  }

  /**
   * Skips undefined items; pending ones keep their place. `bytes` is the memory that an item holds.
   */
  push(item: Answer<T | undefined>, bytes = 0): void {
    // A rejection is handled in its turn.
    if (item instanceof Promise) item.catch(() => {});
    if (this.#isOver || item === undefined) return;
    // Fast path: most readers keep up.
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

  /** Sends initial items as fast as the reader takes them; they are created lazily. */
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
