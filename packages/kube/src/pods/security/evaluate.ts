import { baselineChecks } from "./baseline-checks.ts";
import type { Check, CheckedPod, Violation } from "./check.ts";
import { restrictedChecks } from "./restricted-checks.ts";

export const podSecurityLevels = ["privileged", "baseline", "restricted"] as const;

export type PodSecurityLevel = (typeof podSecurityLevels)[number];

/** How strict, by the rules of which version: "latest", or "v1.x". */
export interface PodSecurityLevelVersion {
  readonly level: PodSecurityLevel;
  readonly version: string;
}

/** The newest version that has a rule of its own. */
const latest = 34;

/** What a pod does that a level of the Pod Security Standards forbids. */
export function podSecurityViolations(
  pod: CheckedPod,
  { level, version }: PodSecurityLevelVersion,
): Violation[] {
  if (level === "privileged") return [];
  const minor = version === "latest" ? latest : Math.min(Number(version.slice(3)), latest);
  const counts = ({ since }: Check) => since <= minor;
  const restricted = level === "restricted" ? restrictedChecks.filter(counts) : [];
  const overridden = new Set(restricted.map(({ overrides }) => overrides));
  const baseline = baselineChecks.filter((check) => counts(check) && !overridden.has(check));
  return [...baseline, ...restricted].flatMap((check) => check.violation(pod, minor) ?? []);
}

export function describePodSecurityViolations(violations: readonly Violation[]): string {
  return violations
    .map(({ reason, detail }) => (detail === "" ? reason : `${reason} (${detail})`))
    .join(", ");
}
