import type { MonotonicClock, Timer } from "@rookery/runtime";

interface Draft<T> {
  readonly generation: number | undefined;
  /** In milliseconds of the clock. */
  readonly until: number;
  readonly start: Timer;
  /** Undefined where it has not begun; resolves to undefined where it failed. */
  work?: Promise<T | undefined>;
}

interface Owner {
  readonly metadata: { readonly uid?: string; readonly generation?: number };
}

/** What is waited for goes first: it has just begun, and both would want the same processor. */
const headStartMs = 300;
const lifetimeMs = 60_000;
/** What is rendered is long: where many wait, the others are rendered when it is their turn. */
const most = 3;

/**
 * What is worked out ahead for objects that wait for another one. Each is begun once for a state of the
 * spec, kept for a while, and taken once. It is never a failure: who finds nothing does the work then.
 */
export class PrerenderedReleases<T> {
  readonly #clock: MonotonicClock;
  readonly #prerendered = new Map<string, Draft<T>>();
  /** The generation that was last worked ahead for. */
  readonly #begun = new Map<string, number | undefined>();

  constructor(clock: MonotonicClock) {
    this.#clock = clock;
  }

  begin({ metadata }: Owner, make: () => Promise<T>): void {
    const { uid = "", generation } = metadata;
    this.#dropOld();
    const isBegun = this.#begun.has(uid) && this.#begun.get(uid) === generation;
    if (isBegun || (this.#prerendered.size >= most && !this.#prerendered.has(uid))) return;
    this.#drop(uid);
    const start = this.#clock.setTimer(() => {
      draft.work = make().catch(() => undefined);
    }, headStartMs);
    const until = this.#clock.now() + headStartMs + lifetimeMs;
    const draft: Draft<T> = { generation, until, start };
    this.#prerendered.set(uid, draft);
    this.#begun.set(uid, generation);
  }

  /** What was worked out for this state of the object, once. */
  async take({ metadata }: Owner): Promise<T | undefined> {
    const { uid = "", generation } = metadata;
    this.#dropOld();
    const draft = this.#prerendered.get(uid);
    this.#drop(uid);
    return draft?.generation === generation ? draft?.work : undefined;
  }

  /** The object is gone. */
  forget({ metadata }: Owner): void {
    const { uid = "" } = metadata;
    this.#drop(uid);
    this.#begun.delete(uid);
  }

  #dropOld(): void {
    const now = this.#clock.now();
    for (const [uid, { until }] of this.#prerendered) if (until < now) this.#drop(uid);
  }

  #drop(uid: string): void {
    this.#prerendered.get(uid)?.start.stop();
    this.#prerendered.delete(uid);
  }
}
