import { baselineChecks } from "./baseline-checks.ts";
import type { Check, CheckedPod, Violation } from "./check.ts";
import type { LevelVersion } from "./policy.ts";
import { restrictedChecks } from "./restricted-checks.ts";

/** The newest version that has a rule of its own. */
const latest = 34;

/** What a pod does that its level forbids. */
export function violationsOf(pod: CheckedPod, { level, version }: LevelVersion): Violation[] {
  if (level === "privileged") return [];
  const minor = version === "latest" ? latest : Math.min(Number(version.slice(3)), latest);
  const counts = ({ since }: Check) => since <= minor;
  const restricted = level === "restricted" ? restrictedChecks.filter(counts) : [];
  const overridden = new Set(restricted.map(({ overrides }) => overrides));
  const baseline = baselineChecks.filter((check) => counts(check) && !overridden.has(check));
  return [...baseline, ...restricted].flatMap((check) => check.violation(pod, minor) ?? []);
}

export function describeViolations(violations: readonly Violation[]): string {
  return violations
    .map(({ reason, detail }) => (detail === "" ? reason : `${reason} (${detail})`))
    .join(", ");
}
