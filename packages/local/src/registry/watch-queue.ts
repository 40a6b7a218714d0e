type Answer<T> = T | Promise<T>;

/** How far a watcher may lag behind before it is given up, as kube-apiserver does. */
const maxQueued = 1000;

/**
 * Sends one thing after another, at once while the reader takes them, and ends where it falls too
 * far behind.
 */
export class WatchQueue<T> {
  readonly #send: (item: T) => Answer<void>;
  readonly #ended = Promise.withResolvers<void>();
  #queued: Answer<T | undefined>[] = [];
  #isSending = false;
  #isOver = false;

  constructor(send: (item: T) => Answer<void>) {
    this.#send = send;
  }

  /** Resolves when nothing more will be sent, rejects where the reader fails. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** Whether everything has been handed to the reader. */
  get isIdle(): boolean {
    return !this.#isSending && this.#queued.length === 0;
  }

  /** Items that come to nothing are left out; those that take time keep their place. */
  push(item: Answer<T | undefined>): void {
    if (this.#isOver || item === undefined) return;
    if (this.#queued.length >= maxQueued) {
      this.end();
      return;
    }
    this.#queued.push(item);
    if (!this.#isSending) this.#sendAll();
  }

  /** Sends many that were there before, as fast as the reader takes them. */
  async sendFirst(items: Iterable<Answer<T | undefined>>): Promise<void> {
    this.#isSending = true;
    for (const item of items) {
      if (this.#isOver) break;
      const ready = item instanceof Promise ? await item : item;
      if (ready !== undefined) await this.#send(ready);
    }
    this.#isSending = false;
    this.#sendAll();
  }

  end(): void {
    this.#isOver = true;
    this.#queued = [];
    this.#ended.resolve();
  }

  fail(error: unknown): void {
    this.#isOver = true;
    this.#queued = [];
    this.#ended.reject(error);
  }

  #sendAll(): void {
    while (!this.#isOver) {
      const item = this.#queued.shift();
      if (item === undefined) return;
      const sent = item instanceof Promise ? this.#sendLater(item) : this.#send(item);
      if (!sent) continue; // The reader has taken it.
      this.#isSending = true;
      sent
        .then(() => {
          this.#isSending = false;
          this.#sendAll();
        })
        .catch((error: unknown) => this.fail(error));
      return;
    }
  }

  async #sendLater(item: Promise<T | undefined>): Promise<void> {
    const ready = await item;
    if (ready !== undefined && !this.#isOver) await this.#send(ready);
  }
}
