/**
 * What can be set on a controller manager: controller-runtime's
 * ControllerManagerConfigurationSpec with what Cluster API's managers have on top.
 */
export interface ManagerSpec {
  readonly syncPeriod?: DurationValue;
  readonly leaderElection?: LeaderElectionConfiguration;
  readonly cacheNamespace?: string;
  readonly gracefulShutDown?: DurationValue;
  readonly metrics?: ControllerMetrics;
  /** An alias of `metrics.bindAddress`, which wins where both are set. */
  readonly metricsAddress?: string;
  readonly health?: ControllerHealth;
  readonly webhook?: ControllerWebhook;
  readonly profilerAddress?: string;
  readonly maxConcurrentReconciles?: number;
  readonly verbosity?: number;
  /** Verbosity 5 and a profiler at localhost:6060, whatever the fields say. */
  readonly debug?: boolean;
  readonly featureGates?: Readonly<Record<string, boolean>>;
}

/** As Go writes durations ("10m0s"); a number is seconds. */
export type DurationValue = string | number;

export interface LeaderElectionConfiguration {
  readonly leaderElect?: boolean;
  readonly leaseDuration?: DurationValue;
  readonly renewDeadline?: DurationValue;
  readonly retryPeriod?: DurationValue;
  readonly resourceLock?: string;
  readonly resourceName?: string;
  readonly resourceNamespace?: string;
}

export interface ControllerMetrics {
  /** "0" switches metrics off. */
  readonly bindAddress?: string;
}

export interface ControllerHealth {
  readonly healthProbeBindAddress?: string;
  readonly readinessEndpointName?: string;
  readonly livenessEndpointName?: string;
}

export interface ControllerWebhook {
  readonly port?: number;
  readonly host?: string;
  readonly certDir?: string;
}
