import { LeaderElectionConfigError } from "../errors.ts";

/** In milliseconds. */
export interface LeaderElectionDurations {
  /** The time that others wait, after the last renewal that they saw, before they take the lease. */
  readonly leaseDuration: number;
  /** The time that a leader continues after its last successful renewal. */
  readonly renewDeadline: number;
  /** The time between two attempts. */
  readonly retryPeriod: number;
}

/** As in client-go. */
export const defaultDurations: LeaderElectionDurations = {
  leaseDuration: 15_000,
  renewDeadline: 10_000,
  retryPeriod: 2_000,
};

/** A candidate waits longer than the retry period by a random part of this factor, so that not all try at once. */
export const jitterFactor = 1.2;

/** Throws a LeaderElectionConfigError if the durations could lead to two leaders, or to none. */
export function validateDurations(durations: LeaderElectionDurations): void {
  const { leaseDuration, renewDeadline, retryPeriod } = durations;
  if (!(retryPeriod > 0)) {
    throw new LeaderElectionConfigError("retryPeriod must be greater than zero");
  }
  if (!(renewDeadline > retryPeriod * jitterFactor)) {
    const problem = "renewDeadline must be greater than retryPeriod*JitterFactor";
    throw new LeaderElectionConfigError(problem);
  }
  if (!(leaseDuration > renewDeadline)) {
    throw new LeaderElectionConfigError("leaseDuration must be greater than renewDeadline");
  }
}

/** The delay before the next attempt of a candidate. */
export function jitteredRetryPeriod(retryPeriod: number, random: () => number): number {
  return retryPeriod * (1 + random() * jitterFactor);
}

/** One request may take half of the deadline, so that a second one can still succeed in time. */
export function attemptTimeout({ renewDeadline }: LeaderElectionDurations): number {
  return Math.max(renewDeadline / 2, Math.min(1000, renewDeadline));
}
