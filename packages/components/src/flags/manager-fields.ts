import { type Duration, formatDuration, ParseError, parseDuration } from "@rookery/kube";
import type { Problem } from "../errors.ts";
import type { ManagerSpec } from "../spec/provider-spec.ts";

/** As Go writes durations ("10m0s"); a number is seconds. */
type DurationValue = string | number;

/** A field of ManagerSpec that becomes a flag. */
export interface FlagField {
  readonly field: string;
  /** Names that managers have for it, Cluster API's first; the first that this one has is taken. */
  readonly flags: readonly string[];
  readonly value: string;
}

/** What kubebuilder calls flags for which Cluster API has other names. */
const scaffolded: ReadonlySet<string> = new Set([
  "metrics-bind-address",
  "health-probe-bind-address",
]);
/** Flags by which the components of a manager show that it has those of Cluster API. */
const clusterApiFlags = ["diagnostics-address", "insecure-diagnostics", "metrics-bind-addr"];

/** The flag to try for a field of a manager of which nobody knows whether it has one. */
export function likelyFlag(
  { flags }: Pick<FlagField, "flags">,
  own: ReadonlyMap<string, string>,
): string | undefined {
  const isFamily = clusterApiFlags.some((flag) => own.has(flag));
  const common = isFamily ? undefined : flags.find((flag) => scaffolded.has(flag));
  return common ?? flags[0];
}

const debugVerbosity = 5;
const debugProfiler = "localhost:6060";

/** What a ManagerSpec asks for, field by field, and what in it cannot be. */
export function managerFields(manager: ManagerSpec): {
  readonly fields: readonly FlagField[];
  readonly problems: readonly Problem[];
} {
  const problems: Problem[] = [];
  const duration = (field: string, value: DurationValue | undefined) => {
    const formatted = value === undefined ? undefined : formatValue(value);
    if (value !== undefined && formatted === undefined) problems.push(badDuration(field, value));
    return formatted;
  };
  const { leaderElection = {}, health = {}, webhook = {}, debug = false } = manager;
  const verbosity = debug ? debugVerbosity : manager.verbosity;
  const rows: readonly (readonly [string, readonly string[], unknown])[] = [
    ["syncPeriod", ["sync-period"], duration("syncPeriod", manager.syncPeriod)],
    [
      "leaderElection.leaderElect",
      ["leader-elect", "enable-leader-election"],
      leaderElection.leaderElect,
    ],
    [
      "leaderElection.leaseDuration",
      ["leader-elect-lease-duration"],
      duration("leaderElection.leaseDuration", leaderElection.leaseDuration),
    ],
    [
      "leaderElection.renewDeadline",
      ["leader-elect-renew-deadline"],
      duration("leaderElection.renewDeadline", leaderElection.renewDeadline),
    ],
    [
      "leaderElection.retryPeriod",
      ["leader-elect-retry-period"],
      duration("leaderElection.retryPeriod", leaderElection.retryPeriod),
    ],
    ["leaderElection.resourceLock", ["leader-elect-resource-lock"], leaderElection.resourceLock],
    [
      "leaderElection.resourceName",
      ["leader-election-id", "leader-elect-resource-name"],
      leaderElection.resourceName,
    ],
    [
      "leaderElection.resourceNamespace",
      ["leader-elect-namespace", "leader-election-namespace"],
      leaderElection.resourceNamespace,
    ],
    [
      "gracefulShutDown",
      ["graceful-shutdown-timeout"],
      duration("gracefulShutDown", manager.gracefulShutDown),
    ],
    [
      "metrics.bindAddress",
      ["diagnostics-address", "metrics-bind-addr", "metrics-bind-address", "metrics-addr"],
      manager.metrics?.bindAddress ?? manager.metricsAddress,
    ],
    [
      "health.healthProbeBindAddress",
      ["health-addr", "health-probe-bind-address"],
      health.healthProbeBindAddress,
    ],
    ["health.readinessEndpointName", ["readiness-endpoint-name"], health.readinessEndpointName],
    ["health.livenessEndpointName", ["liveness-endpoint-name"], health.livenessEndpointName],
    ["webhook.port", ["webhook-port"], webhook.port],
    ["webhook.host", ["webhook-host"], webhook.host],
    ["webhook.certDir", ["webhook-cert-dir"], webhook.certDir],
    ["profilerAddress", ["profiler-address"], debug ? debugProfiler : manager.profilerAddress],
    ["verbosity", ["v", "verbosity"], verbosity],
  ];
  const set = rows.filter(([, , value]) => value !== undefined && value !== "");
  const fields = set.map(([field, flags, value]) => ({ field, flags, value: String(value) }));
  return { fields, problems };
}

/** A number is seconds; text is what Go takes for a duration. */
function formatValue(value: DurationValue): string | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? `${value}s` : undefined;
  try {
    return formatDuration(parseDuration(value) satisfies Duration);
  } catch (error) {
    if (error instanceof ParseError) return undefined;
    throw error;
  }
}

function badDuration(field: string, value: DurationValue): Problem {
  const path = `manager.${field}`;
  const message = `${path} is ${JSON.stringify(value)}, which is no duration; write "10m" or a number of seconds`;
  return { reason: "InvalidValue", message, field: path };
}
