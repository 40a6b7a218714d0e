import { type Duration, formatDuration, ParseError, parseDuration } from "@rookery/kube";
import type { Problem } from "../errors.ts";
import type { ManagerSpec } from "../spec/provider-spec.ts";

/** As Go writes durations ("10m0s"); a number is seconds. */
type DurationValue = string | number;

/** A field of ManagerSpec that becomes a flag. */
export interface FlagField {
  readonly field: string;
  /** The names of its flag, Cluster API's first; the first one that the manager has is set. */
  readonly flags: readonly string[];
  readonly value: string;
}

/** Flags of kubebuilder for which Cluster API has other names. */
const scaffolded: ReadonlySet<string> = new Set([
  "metrics-bind-address",
  "health-probe-bind-address",
]);
/** Flags that show that a manager has Cluster API's flags. */
const clusterApiFlags = ["diagnostics-address", "insecure-diagnostics", "metrics-bind-addr"];

/** The flag to try for a field, where the flags of the manager are unknown. */
export function likelyFlag(
  { flags }: Pick<FlagField, "flags">,
  own: ReadonlyMap<string, string>,
): string | undefined {
  const isFamily = clusterApiFlags.some((flag) => own.has(flag));
  const common = isFamily ? undefined : flags.find((flag) => scaffolded.has(flag));
  return common ?? flags[0];
}

type Row = readonly [field: string, flags: readonly string[], type?: "duration"];

const rows: readonly Row[] = [
  ["syncPeriod", ["sync-period"], "duration"],
  ["leaderElection.leaderElect", ["leader-elect", "enable-leader-election"]],
  ["leaderElection.leaseDuration", ["leader-elect-lease-duration"], "duration"],
  ["leaderElection.renewDeadline", ["leader-elect-renew-deadline"], "duration"],
  ["leaderElection.retryPeriod", ["leader-elect-retry-period"], "duration"],
  ["leaderElection.resourceLock", ["leader-elect-resource-lock"]],
  ["leaderElection.resourceName", ["leader-election-id", "leader-elect-resource-name"]],
  ["leaderElection.resourceNamespace", ["leader-elect-namespace", "leader-election-namespace"]],
  ["gracefulShutDown", ["graceful-shutdown-timeout"], "duration"],
  [
    "metrics.bindAddress",
    ["diagnostics-address", "metrics-bind-addr", "metrics-bind-address", "metrics-addr"],
  ],
  ["health.healthProbeBindAddress", ["health-addr", "health-probe-bind-address"]],
  ["health.readinessEndpointName", ["readiness-endpoint-name"]],
  ["health.livenessEndpointName", ["liveness-endpoint-name"]],
  ["webhook.port", ["webhook-port"]],
  ["webhook.host", ["webhook-host"]],
  ["webhook.certDir", ["webhook-cert-dir"]],
  ["profilerAddress", ["profiler-address"]],
  ["verbosity", ["v", "verbosity"]],
];

/** The values that `debug` sets. */
const debugging: ManagerSpec = { verbosity: 5, profilerAddress: "localhost:6060" };

/** The fields of a ManagerSpec that become flags, and the problems of their values. */
export function managerFields(manager: ManagerSpec): {
  readonly fields: readonly FlagField[];
  readonly problems: readonly Problem[];
} {
  const fields: FlagField[] = [];
  const problems: Problem[] = [];
  const bindAddress = manager.metrics?.bindAddress ?? manager.metricsAddress;
  const spec = { ...manager, ...(manager.debug && debugging), metrics: { bindAddress } };
  for (const [field, flags, type] of rows) {
    const value = valueAt(spec, field);
    if (value === undefined || value === "") continue;
    const text = type === "duration" ? formatValue(value as DurationValue) : String(value);
    if (text === undefined) problems.push(badDuration(field, value));
    else fields.push({ field, flags, value: text });
  }
  return { fields, problems };
}

function valueAt(spec: object, path: string): unknown {
  return path.split(".").reduce<unknown>((value, name) => Object(value)[name], spec);
}

/** A number is seconds; text is a duration of Go. */
function formatValue(value: DurationValue): string | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? `${value}s` : undefined;
  try {
    return formatDuration(parseDuration(value) satisfies Duration);
  } catch (error) {
    if (error instanceof ParseError) return undefined;
    throw error;
  }
}

function badDuration(field: string, value: unknown): Problem {
  const path = `manager.${field}`;
  const message = `${path} is ${JSON.stringify(value)}, which is no duration; write "10m" or a number of seconds`;
  return { reason: "InvalidValue", message, field: path };
}
