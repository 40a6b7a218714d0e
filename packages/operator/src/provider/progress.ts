import type { Reason } from "../conditions/reasons.ts";

/** How far a provider is, as its conditions tell it. */
export interface Progress {
  readonly installed: Finding;
  /** Absent where it is as it was. */
  readonly available?: Finding;
  /** When to look again at the latest, if nothing happens before. */
  readonly requeueAfterSeconds?: number;
}

/** What is known of one condition. */
export interface Finding {
  readonly status: "True" | "False" | "Unknown";
  readonly reason: Reason;
  readonly message: string;
}

export const isInstalled: Finding = { status: "True", reason: "Installed", message: "" };
export const isAvailable: Finding = { status: "True", reason: "Available", message: "" };
export const isPausedFinding: Finding = {
  status: "False",
  reason: "Paused",
  message: "the provider is paused: its Deployments are scaled to 0",
};
export const isNotInstalled: Finding = {
  status: "False",
  reason: "NotInstalled",
  message: "no components are in the cluster",
};

export function not(reason: Reason, message: string): Finding {
  return { status: "False", reason, message };
}
