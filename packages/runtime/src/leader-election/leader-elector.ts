import { type Clock, formatObjectKey, type ObjectKey } from "@rookery/kube";
import { aborted, limitTime } from "../clock/abort.ts";
import { type MonotonicClock, systemClock } from "../clock/clock.ts";
import { sleep } from "../clock/sleep.ts";
import { GracePeriodExceededError } from "../errors.ts";
import { type Logger, silentLogger } from "../logging/logger.ts";
import type { LeaderElection } from "../manager/leader-election.ts";
import {
  attemptTimeout,
  defaultDurations,
  jitteredRetryPeriod,
  type LeaderElectionDurations,
  validateDurations,
} from "./durations.ts";
import { createIdentity } from "./identity.ts";
import type { LeaderElectionMetrics } from "./leader-election-metrics.ts";
import { type Leadership, LeaseLeadership } from "./leadership.ts";
import type { LeaseClient } from "./lease.ts";
import { LeaseCandidate, type Outcome } from "./lease-candidate.ts";

export interface LeaderElectorOptions extends Partial<LeaderElectionDurations> {
  readonly leases: LeaseClient;
  /** Which Lease decides; it is made where there is none. */
  readonly lease: Required<ObjectKey>;
  /** "hostname_uuid" where absent. No two processes may share one. */
  readonly identity?: string;
  readonly metrics?: LeaderElectionMetrics;
  readonly logger?: Logger;
  /** Hears who leads, each time that it is somebody else. */
  readonly onNewLeader?: (identity: string) => void;
  readonly clock?: MonotonicClock;
  /** For the times that are written into the lease; nothing is decided by them. */
  readonly wallClock?: Clock;
  /** From 0 up to 1. */
  readonly random?: () => number;
}

/** Elects one of several processes by a Lease. A manager's election rejects where it is lost. */
export interface LeaderElector extends LeaderElection {
  readonly identity: string;
  /**
   * Resolves when this process leads. Rejects with the signal's reason, and only then.
   *
   * Guarantees: two processes never lead at the same time, however long requests take and whichever
   * fail, as long as their clocks run equally fast: who leads stops `renewDeadline` after it sent the
   * last renewal that succeeded, and nobody takes the lease earlier than `leaseDuration` after that.
   */
  acquire(signal: AbortSignal): Promise<Leadership>;
}

/** Throws a LeaderElectionConfigError where the durations do not fit together. */
export function createLeaderElector(options: LeaderElectorOptions): LeaderElector {
  return new LeaseElector(options);
}

class LeaseElector implements LeaderElector {
  readonly identity: string;
  readonly #options: LeaderElectorOptions;
  readonly #durations: LeaderElectionDurations;
  readonly #clock: MonotonicClock;
  readonly #logger: Logger;
  readonly #candidate: LeaseCandidate;
  #reportedLeader = "";

  constructor(options: LeaderElectorOptions) {
    const { leases, lease, clock = systemClock, wallClock = () => new Date() } = options;
    const { logger = silentLogger, identity = createIdentity(), metrics } = options;
    const { leaseDuration, renewDeadline, retryPeriod } = { ...defaultDurations, ...options };
    this.#durations = { leaseDuration, renewDeadline, retryPeriod };
    validateDurations(this.#durations);
    this.identity = identity;
    this.#options = options;
    this.#clock = clock;
    this.#logger = logger.withValues({ lease: formatObjectKey(lease), identity });
    const onSlowPath = () => metrics?.slowPath();
    this.#candidate = new LeaseCandidate({
      leases,
      key: lease,
      identity,
      leaseDuration,
      clock,
      wallClock,
      onSlowPath,
    });
    metrics?.leading(false);
  }

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
    const leadership = new LeaseLeadership({
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
