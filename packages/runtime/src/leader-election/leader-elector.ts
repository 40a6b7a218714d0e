import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { type Clock, formatObjectKey, type ObjectKey } from "@rookery/kube";
import { aborted, limitTime } from "../clock/abort.ts";
import { type MonotonicClock, systemClock } from "../clock/clock.ts";
import { sleep } from "../clock/sleep.ts";
import { GracePeriodExceededError } from "../errors.ts";
import { type Logger, silentLogger } from "../logging/logger.ts";
import type { LeaderElection } from "../manager/manager.ts";
import {
  attemptTimeout,
  defaultDurations,
  jitteredRetryPeriod,
  type LeaderElectionDurations,
  validateDurations,
} from "./durations.ts";
import { type LeaderElectionMetrics, Leadership } from "./leadership.ts";
import type { LeaseClient } from "./lease.ts";
import { LeaseCandidate, type Outcome } from "./lease-candidate.ts";

export interface LeaderElectorOptions extends Partial<LeaderElectionDurations> {
  readonly leases: LeaseClient;
  /** The Lease, which is created if it does not exist. */
  readonly lease: Required<ObjectKey>;
  /** "hostname_uuid" by default, as in controller-runtime. Two processes must not share one. */
  readonly identity?: string;
  readonly metrics?: LeaderElectionMetrics;
  readonly logger?: Logger;
  /** Called with the identity of each new leader. */
  readonly onNewLeader?: (identity: string) => void;
  readonly clock?: MonotonicClock;
  /** For the times in the lease, which decide nothing. */
  readonly wallClock?: Clock;
  /** Returns numbers from 0 to 1. */
  readonly random?: () => number;
}

/** Elects one of several processes by a Lease. */
export class LeaderElector implements LeaderElection {
  readonly identity: string;
  readonly #options: LeaderElectorOptions;
  readonly #durations: LeaderElectionDurations;
  readonly #clock: MonotonicClock;
  readonly #logger: Logger;
  readonly #candidate: LeaseCandidate;
  #reportedLeader = "";

  /** Throws a LeaderElectionConfigError if the durations do not fit together. */
  constructor(options: LeaderElectorOptions) {
    const { leases, lease, clock = systemClock, wallClock = () => new Date() } = options;
    const { logger = silentLogger, identity = `${hostname()}_${randomUUID()}` } = options;
    const { leaseDuration, renewDeadline, retryPeriod } = { ...defaultDurations, ...options };
    this.#durations = { leaseDuration, renewDeadline, retryPeriod };
    validateDurations(this.#durations);
    this.identity = identity;
    this.#options = options;
    this.#clock = clock;
    this.#logger = logger.withValues({ lease: formatObjectKey(lease), identity });
    this.#candidate = new LeaseCandidate({
      leases,
      key: lease,
      identity,
      leaseDuration,
      clock,
      wallClock,
      onSlowPath: () => options.metrics?.slowPath(),
    });
    options.metrics?.leading(false);
  }

  /**
   * Resolves when this process leads. Rejects with the signal's reason, and only then.
   *
   * Guarantees: two processes never lead at the same time, however long requests take and whichever fail, if their
   * clocks run equally fast: the leader stops `renewDeadline` after it sent the last successful renewal, and nobody
   * takes the lease earlier than `leaseDuration` after that.
   */
  async acquire(signal: AbortSignal): Promise<Leadership> {
    const { random = Math.random } = this.#options;
    this.#logger.info("Attempting to acquire leader lease");
    for (;;) {
      signal.throwIfAborted();
      const triedAt = this.#clock.now();
      const outcome = await this.#try(signal);
      if (outcome?.held) return this.#lead(triedAt, signal);
      await sleep(jitteredRetryPeriod(this.#durations.retryPeriod, random), this.#clock, signal);
    }
  }

  /** Rejects if the leadership is lost. */
  async run(signal: AbortSignal, onStarted: () => void): Promise<void> {
    let leadership: Leadership;
    try {
      leadership = await this.acquire(signal);
    } catch (error) {
      if (signal.aborted) return;
      throw error;
    }
    onStarted();
    await aborted(AbortSignal.any([signal, leadership.lost]));
    leadership.lost.throwIfAborted();
    if (signal.reason instanceof GracePeriodExceededError) leadership.abandon();
    else await leadership.release();
  }

  async #try(signal: AbortSignal): Promise<Outcome | undefined> {
    try {
      const milliseconds = attemptTimeout(this.#durations);
      using attempt = limitTime(signal, { clock: this.#clock, milliseconds });
      const outcome = await this.#candidate.acquire(attempt.signal);
      this.#report();
      return outcome;
    } catch (error) {
      signal.throwIfAborted();
      this.#logger.error(error, "Failed to acquire lease");
      return undefined;
    }
  }

  async #lead(acquiredAt: number, signal: AbortSignal): Promise<Leadership> {
    const leadership = new Leadership({
      candidate: this.#candidate,
      durations: this.#durations,
      clock: this.#clock,
      logger: this.#logger,
      lease: formatObjectKey(this.#options.lease),
      metrics: this.#options.metrics,
      onRenewal: () => this.#report(),
    });
    leadership.start(acquiredAt);
    if (!signal.aborted) return leadership;
    await leadership.release();
    throw signal.reason;
  }

  #report(): void {
    const { holder } = this.#candidate;
    if (holder === this.#reportedLeader) return;
    this.#reportedLeader = holder;
    this.#options.onNewLeader?.(holder);
  }
}
