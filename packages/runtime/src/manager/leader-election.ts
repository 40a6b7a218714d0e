/** Lets one of several processes lead. Each manager runs it once. */
export interface LeaderElection {
  /**
   * Takes part until the signal is aborted, then steps down and resolves. Calls `onStarted` when this
   * process leads, and `onLost` when it no longer does without having been told to; neither twice.
   * A signal whose reason is a GracePeriodExceededError means that work may still be going on: the
   * lease must then run out by itself, because who takes it over would do the same work.
   */
  run(signal: AbortSignal, onStarted: () => void, onLost: () => void): Promise<void>;
}
