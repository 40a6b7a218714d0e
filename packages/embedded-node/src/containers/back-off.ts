/** Milliseconds: of the first wait, the longest one, and how long a run has to last to begin anew. */
export interface BackOffTimes {
  readonly firstMs: number;
  readonly mostMs: number;
  readonly forgetAfterMs: number;
}

/** As a kubelet waits: 10 s, doubled up to 5 minutes, forgotten after 10 minutes without a failure. */
export const kubeletBackOff: BackOffTimes = {
  firstMs: 10_000,
  mostMs: 300_000,
  forgetAfterMs: 600_000,
};

/** How long something that failed has to wait; the first time it need not. */
export class BackOff {
  readonly #times: BackOffTimes;
  #waitMs = 0;
  #lastMs = 0;

  constructor(times: BackOffTimes) {
    this.#times = times;
  }

  /** The wait after a failure at this moment, from which the next one is longer. */
  next(nowMs: number): number {
    const { firstMs, mostMs, forgetAfterMs } = this.#times;
    if (this.#lastMs !== 0 && nowMs - this.#lastMs > forgetAfterMs + this.#waitMs) this.#waitMs = 0;
    const wait = this.#waitMs;
    this.#lastMs = nowMs;
    this.#waitMs = wait === 0 ? firstMs : Math.min(wait * 2, mostMs);
    return wait;
  }
}
