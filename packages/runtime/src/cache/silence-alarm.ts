import type { MonotonicClock, Timer } from "../clock/clock.ts";
import { WatchSilentError } from "../errors.ts";

/** Tells when nothing has come for too long. Each sign of life costs no more than a look at the clock. */
export class SilenceAlarm {
  readonly #clock: MonotonicClock;
  readonly #onSilence: (error: WatchSilentError) => void;
  #limit: number;
  #lastSign: number;
  #timer: Timer;

  /** `limit` is in milliseconds. Calls back once. */
  constructor(clock: MonotonicClock, limit: number, onSilence: (error: WatchSilentError) => void) {
    this.#clock = clock;
    this.#onSilence = onSilence;
    this.#limit = limit;
    this.#lastSign = clock.now();
    this.#timer = this.#arm();
  }

  /** Something came. */
  signOfLife(): void {
    this.#lastSign = this.#clock.now();
  }

  /** From now on, so many milliseconds may pass. */
  setLimit(limit: number): void {
    this.#limit = limit;
    this.#timer.stop();
    this.#timer = this.#arm();
  }

  stop(): void {
    this.#timer.stop();
  }

  #arm(): Timer {
    const left = this.#lastSign + this.#limit - this.#clock.now();
    return this.#clock.setTimer(() => this.#look(), Math.max(left, 0));
  }

  #look(): void {
    const silence = this.#clock.now() - this.#lastSign;
    if (silence < this.#limit) this.#timer = this.#arm();
    else this.#onSilence(new WatchSilentError(silence));
  }
}
