import type { Check, CheckedPod, Violation } from "./check.ts";
import {
  hostNamespaces,
  hostPathVolumes,
  hostPorts,
  hostProbes,
  privileged,
  procMount,
  windowsHostProcess,
} from "./host-checks.ts";
import {
  appArmorProfile,
  capabilitiesBaseline,
  seccompBaseline,
  seLinuxOptions,
  sysctls,
} from "./profile-checks.ts";
import { restrictedChecks } from "./restricted-checks.ts";

/** In the order of the report. */
const baselineChecks: readonly Check[] = [
  ...[appArmorProfile, capabilitiesBaseline, hostNamespaces, hostPathVolumes, hostPorts],
  ...[hostProbes, privileged, procMount, seLinuxOptions, seccompBaseline, sysctls],
  windowsHostProcess,
];

export const podSecurityLevels = ["privileged", "baseline", "restricted"] as const;

export type PodSecurityLevel = (typeof podSecurityLevels)[number];

/** The level and the version of its rules: "latest", or "v1.x". */
export interface PodSecurityLevelVersion {
  readonly level: PodSecurityLevel;
  readonly version: string;
}

/** The newest version that adds rules. */
const latest = 34;

/** The violations of a level of the Pod Security Standards. */
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
