/**
 * When a runnable is started, in this order; they stop in the other one. Servers come first, because
 * caches can be filled only where conversion webhooks answer, and controllers last, because they read
 * from caches.
 */
export const runnableGroups = [
  "httpServers",
  "webhooks",
  "caches",
  "others",
  "leaderElection",
] as const;

export type RunnableGroup = (typeof runnableGroups)[number];

/** Something that a manager runs. */
export interface Runnable {
  /** For logs and errors. */
  readonly name: string;
  /** By default "leaderElection": it runs only while this process leads. */
  readonly group?: RunnableGroup;
  /** Runs until the signal is aborted, and resolves when all of it has ended. */
  start(signal: AbortSignal): Promise<void>;
  /** Resolves when those that are started later may rely on it; without it, that is at once. */
  waitForReady?(signal: AbortSignal): Promise<void>;
}
