import { limitTime } from "../clock/abort.ts";
import type { MonotonicClock, Timer } from "../clock/clock.ts";
import { pause } from "../clock/sleep.ts";
import { LeaseTakenError, RenewDeadlineError } from "../errors.ts";
import type { Logger } from "../logging/logger.ts";
import { attemptTimeout, type LeaderElectionDurations } from "./durations.ts";
import type { LeaderElectionMetrics } from "./leader-election-metrics.ts";
import type { LeaseCandidate, Outcome } from "./lease-candidate.ts";

/** The time during which this process leads. It goes on until it is released or lost. */
export interface Leadership {
  /** Aborted in the moment from which others may lead: LeaseTakenError, RenewDeadlineError. */
  readonly lost: AbortSignal;
  /**
   * Lets others lead at once. To be called when everything that needs the leadership has ended.
   * Never rejects: a lease that cannot be given back expires.
   */
  release(): Promise<void>;
  /** Ends it without giving the lease back: others lead when it has expired. */
  abandon(): void;
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

/** Renews a lease that was acquired. */
export class LeaseLeadership implements Leadership {
  readonly #options: LeadershipOptions;
  readonly #lost = new AbortController();
  readonly #ended = new AbortController();
  #deadline: Timer | undefined;
  #renewing: Promise<void> = Promise.resolve();
  #lastError: unknown;

  constructor(options: LeadershipOptions) {
    this.#options = options;
  }

  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** `acquiredAt` is when the request was sent that acquired the lease. */
  start(acquiredAt: number): void {
    this.#options.logger.info("Successfully acquired lease");
    this.#options.metrics?.leading(true);
    this.#leadFrom(acquiredAt);
    this.#renewing = this.#renew(acquiredAt);
  }

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

  /**
   * Counted from when the renewal was sent: the server accepted it later than that, so others wait
   * for longer than this process goes on.
   */
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
