/** A moment that something has to be over by; it can only come earlier. */
export class Deadline implements Disposable {
  readonly #passed = Promise.withResolvers<void>();
  #end = Number.POSITIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(milliseconds: number) {
    this.shorten(milliseconds);
  }

  get leftMs(): number {
    return Math.max(0, this.#end - performance.now());
  }

  shorten(milliseconds: number): void {
    const end = performance.now() + milliseconds;
    if (end >= this.#end) return;
    this.#end = end;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#passed.resolve(), milliseconds);
  }

  /** Resolves to whether it was over in time. */
  async waitFor(work: Promise<unknown>): Promise<boolean> {
    const inTime = work.then(
      () => true,
      () => true,
    );
    return Promise.race([inTime, this.#passed.promise.then(() => false)]);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }
}
