import { LeaderElectionConfigError } from "../errors.ts";

/** In milliseconds. */
export interface LeaderElectionDurations {
  /** How long others wait, after the last renewal that they saw, before they take the lease. */
  readonly leaseDuration: number;
  /** How long a leader goes on after the last renewal that succeeded. */
  readonly renewDeadline: number;
  /** How long to wait between two tries. */
  readonly retryPeriod: number;
}

/** Those of client-go. */
export const defaultDurations: LeaderElectionDurations = {
  leaseDuration: 15_000,
  renewDeadline: 10_000,
  retryPeriod: 2_000,
};

/** How much longer than the retry period a candidate waits at most, so that not all try at once. */
export const jitterFactor = 1.2;

/** Throws a LeaderElectionConfigError where two leaders, or none, would be the outcome. */
export function validateDurations(durations: LeaderElectionDurations): void {
  const { leaseDuration, renewDeadline, retryPeriod } = durations;
  const problem = (what: string) => new LeaderElectionConfigError(what);
  if (!(retryPeriod > 0)) throw problem("retryPeriod must be greater than zero");
  if (!(renewDeadline > retryPeriod * jitterFactor)) {
    throw problem("renewDeadline must be greater than retryPeriod*JitterFactor");
  }
  if (!(leaseDuration > renewDeadline)) {
    throw problem("leaseDuration must be greater than renewDeadline");
  }
}

/** How long a candidate waits before it tries again. */
export function jitteredRetryPeriod(retryPeriod: number, random: () => number): number {
  return retryPeriod * (1 + random() * jitterFactor);
}

/** One request may take half of the deadline: a second one can still succeed in time. */
export function attemptTimeout({ renewDeadline }: LeaderElectionDurations): number {
  return Math.max(renewDeadline / 2, Math.min(1000, renewDeadline));
}
