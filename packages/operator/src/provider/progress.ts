import { type Finding, isFalse, isTrue } from "@rookery/kube";
import type { Reason } from "../conditions/reasons.ts";
import { describeSet } from "../identity/namespace-set.ts";
import type { HeldNamespaces } from "../instances/held-namespaces.ts";
import { listSome } from "../list-some.ts";

export interface Progress {
  readonly installed: Finding<Reason>;
  /** Absent if it has not changed. */
  readonly available?: Finding<Reason>;
  /** The latest time of the next reconcile; events usually come earlier. */
  readonly requeueAfterSeconds?: number;
}

export const isInstalled = isTrue<Reason>("Installed");
export const isAvailable = isTrue<Reason>("Available");
export const isPausedFinding = isFalse<Reason>(
  "Paused",
  "the provider is paused: its Deployments are scaled to 0",
);
export const isNotInstalled = isFalse<Reason>("NotInstalled", "no components are in the cluster");
export const notInstalled: Progress = { installed: isNotInstalled, available: isNotInstalled };

/** The cache of pods of other instances may be behind. */
const handoverSeconds = 2;

/** The spec is not fulfilled while other instances hold some of the namespaces. */
export function withHeldNamespaces(progress: Progress, held: readonly HeldNamespaces[]): Progress {
  if (held.length === 0) return progress;
  const named = held.map(({ holder, namespaces }) => `${holder} has ${describeSet(namespaces)}`);
  const why = `waiting for others to let go: ${listSome(named, 3)}`;
  return requeuedWithin(handoverSeconds, {
    ...progress,
    available: isFalse("WaitingForHandOver", why),
  });
}

export function requeuedWithin(seconds: number | undefined, progress: Progress): Progress {
  if (seconds === undefined) return progress;
  const { requeueAfterSeconds = seconds } = progress;
  return { ...progress, requeueAfterSeconds: Math.min(seconds, requeueAfterSeconds) };
}
