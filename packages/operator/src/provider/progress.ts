import { type Finding, isFalse, isTrue } from "@rookery/kube";
import type { Reason } from "../conditions/reasons.ts";

/** How far a provider is, as its conditions tell it. */
export interface Progress {
  readonly installed: Finding<Reason>;
  /** Absent where it is as it was. */
  readonly available?: Finding<Reason>;
  /** When to look again at the latest, if nothing happens before. */
  readonly requeueAfterSeconds?: number;
}

export const isInstalled = isTrue<Reason>("Installed");
export const isAvailable = isTrue<Reason>("Available");
export const isPausedFinding = isFalse<Reason>(
  "Paused",
  "the provider is paused: its Deployments are scaled to 0",
);
export const isNotInstalled = isFalse<Reason>("NotInstalled", "no components are in the cluster");
