import type { MonotonicClock, Timer } from "@rookery/runtime";

interface Job<T> {
  readonly generation: number | undefined;
  /** By the clock, in milliseconds. */
  readonly until: number;
  readonly start: Timer;
  /** Undefined before it starts; resolves to undefined after an error. */
  result?: Promise<T | undefined>;
}

interface Owner {
  readonly metadata: { readonly uid?: string; readonly generation?: number };
}

/** The reconcile of the core, which has just started, gets the processor first. */
const delayMs = 300;
const lifetimeMs = 60_000;
/** Rendered releases are large. */
const most = 3;

/** Results for waiting objects, computed once for each generation, and taken once. */
export class PrerenderedReleases<T> {
  readonly #clock: MonotonicClock;
  readonly #jobs = new Map<string, Job<T>>();
  /** The last generations that jobs were started for, by uid. */
  readonly #started = new Map<string, number | undefined>();

  constructor(clock: MonotonicClock) {
    this.#clock = clock;
  }

  start({ metadata }: Owner, work: () => Promise<T>): void {
    const { uid = "", generation } = metadata;
    this.#dropExpired();
    const isStarted = this.#started.has(uid) && this.#started.get(uid) === generation;
    if (isStarted || (this.#jobs.size >= most && !this.#jobs.has(uid))) return;
    this.#drop(uid);
    const start = this.#clock.setTimer(() => {
      job.result = work().catch(() => undefined);
    }, delayMs);
    const until = this.#clock.now() + delayMs + lifetimeMs;
    const job: Job<T> = { generation, until, start };
    this.#jobs.set(uid, job);
    this.#started.set(uid, generation);
  }

  /** The result for the object's generation; removes it. */
  async take({ metadata }: Owner): Promise<T | undefined> {
    const { uid = "", generation } = metadata;
    this.#dropExpired();
    const job = this.#jobs.get(uid);
    this.#drop(uid);
    return job?.generation === generation ? job?.result : undefined;
  }

  forget({ metadata: { uid = "" } }: Owner): void {
    this.#drop(uid);
    this.#started.delete(uid);
  }

  #dropExpired(): void {
    const now = this.#clock.now();
    for (const [uid, { until }] of this.#jobs) if (until < now) this.#drop(uid);
  }

  #drop(uid: string): void {
    this.#jobs.get(uid)?.start.stop();
    this.#jobs.delete(uid);
  }
}
