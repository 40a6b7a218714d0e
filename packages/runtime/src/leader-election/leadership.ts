import { limitTime } from "../clock/abort.ts";
import type { MonotonicClock, Timer } from "../clock/clock.ts";
import { pause } from "../clock/sleep.ts";
import { LeaseTakenError, RenewDeadlineError } from "../errors.ts";
import type { Logger } from "../logging/logger.ts";
import { attemptTimeout, type LeaderElectionDurations } from "./durations.ts";
import type { LeaseCandidate, Outcome } from "./lease-candidate.ts";

/** The metrics of an election, named as in client-go. */
export interface LeaderElectionMetrics {
  leading(isLeading: boolean): void;
  /** Called when the lease had to be read before the renewal. */
  slowPath(): void;
}

export interface LeadershipOptions {
  readonly candidate: LeaseCandidate;
  readonly durations: LeaderElectionDurations;
  readonly clock: MonotonicClock;
  readonly logger: Logger;
  /** For messages: "namespace/name". */
  readonly lease: string;
  readonly metrics: LeaderElectionMetrics | undefined;
  readonly onRenewal: () => void;
}

/** The time during which this process leads, until the leadership is released or lost. Renews the lease. */
export class Leadership {
  readonly #options: LeadershipOptions;
  readonly #lost = new AbortController();
  readonly #ended = new AbortController();
  #deadline: Timer | undefined;
  #renewing: Promise<void> = Promise.resolve();
  #lastError: unknown;

  constructor(options: LeadershipOptions) {
    this.#options = options;
  }

  /** Aborted at the moment from which others may lead: LeaseTakenError, RenewDeadlineError. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** `acquiredAt` is the time of the request that acquired the lease. */
  start(acquiredAt: number): void {
    this.#options.logger.info("Successfully acquired lease");
    this.#options.metrics?.leading(true);
    this.#leadFrom(acquiredAt);
    this.#renewing = this.#renew(acquiredAt);
  }

  /**
   * Lets others lead at once. Call it when all work that needs the leadership has ended. Never rejects: a lease that
   * cannot be released expires.
   */
  async release(): Promise<void> {
    const { candidate, durations, clock, logger } = this.#options;
    this.#end();
    await this.#renewing;
    if (this.lost.aborted) return;
    try {
      const never = new AbortController().signal;
      using attempt = limitTime(never, { clock, milliseconds: durations.renewDeadline });
      await candidate.release(attempt.signal);
    } catch (error) {
      logger.error(error, "Failed to release lease");
    }
  }

  /** Ends the leadership without a release: others lead when the lease has expired. */
  abandon(): void {
    this.#end();
  }

  async #renew(acquiredAt: number): Promise<void> {
    const { durations, clock } = this.#options;
    const { signal } = this.#ended;
    let triedAt = acquiredAt;
    while (!signal.aborted) {
      await pause(Math.max(0, triedAt + durations.retryPeriod - clock.now()), clock, signal);
      if (signal.aborted) return;
      triedAt = clock.now();
      this.#judge(await this.#try(signal), triedAt);
    }
  }

  async #try(signal: AbortSignal): Promise<Outcome | undefined> {
    const { candidate, durations, clock, logger } = this.#options;
    try {
      using attempt = limitTime(signal, { clock, milliseconds: attemptTimeout(durations) });
      return await candidate.renew(attempt.signal);
    } catch (error) {
      if (signal.aborted) return undefined;
      this.#lastError = error;
      logger.error(error, "Failed to renew lease");
      return undefined;
    }
  }

  #judge(outcome: Outcome | undefined, triedAt: number): void {
    if (outcome === undefined || this.#ended.signal.aborted) return;
    this.#options.onRenewal();
    if (outcome.held) this.#leadFrom(triedAt);
    else this.#lose(new LeaseTakenError(this.#options.lease, outcome.holder));
  }

  /** Counts from the request of the renewal: the server accepted it later, so others wait longer than that. */
  #leadFrom(sentAt: number): void {
    const { clock, durations, lease } = this.#options;
    this.#deadline?.stop();
    const left = sentAt + durations.renewDeadline - clock.now();
    const lose = () => {
      const cause = this.#lastError;
      this.#lose(new RenewDeadlineError(lease, durations.renewDeadline, { cause }));
    };
    if (left <= 0) lose();
    else this.#deadline = clock.setTimer(lose, left);
  }

  #lose(cause: Error): void {
    if (this.#ended.signal.aborted) return;
    this.#end();
    this.#lost.abort(cause);
  }

  #end(): void {
    this.#deadline?.stop();
    this.#ended.abort();
    this.#options.metrics?.leading(false);
  }
}
