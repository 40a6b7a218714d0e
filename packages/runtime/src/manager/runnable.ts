/**
 * The groups of runnables in the order of their start; they stop in reverse order. Servers are first, because caches
 * can be filled only if conversion webhooks answer, and controllers last, because they read from caches.
 */
export const runnableGroups = [
  "httpServers",
  "webhooks",
  "caches",
  "others",
  "leaderElection",
] as const;

export type RunnableGroup = (typeof runnableGroups)[number];

/** A part of a process that a manager runs. */
export interface Runnable {
  /** For logs and errors. */
  readonly name: string;
  /** "leaderElection" by default: runs only while this process leads. */
  readonly group?: RunnableGroup;
  /** Runs until the signal is aborted; resolves when everything has ended. */
  start(signal: AbortSignal): Promise<void>;
  /** Resolves when later groups may start; at once by default. */
  waitForReady?(signal: AbortSignal): Promise<void>;
}
