import { map, object } from "../../declaration/collections.ts";
import { rule } from "../../declaration/field-type.ts";
import { optional } from "../../declaration/fields.ts";
import { boolean, integer, string } from "../../declaration/scalars.ts";
import { period, periodOrEndless, periodOrSeconds } from "./period.ts";

const word = () => string({ maxLength: 253 });

const leaderElection = object({
  leaderElect: optional(boolean(), "Whether to elect a leader before anything is reconciled."),
  leaseDuration: optional(
    period(),
    "For how long others wait after a leader was last seen before one of them takes over.",
  ),
  renewDeadline: optional(
    period(),
    "For how long a leader tries to renew before it stops leading; at most leaseDuration.",
  ),
  retryPeriod: optional(period(), "How long to wait between two tries."),
  resourceLock: optional(word(), "The resource that is the lock, such as leases."),
  resourceName: optional(word(), "The name of the lock."),
  resourceNamespace: optional(string({ maxLength: 63 }), "The namespace of the lock."),
});

const metrics = object({
  bindAddress: optional(word(), 'Where metrics are served; "0" for nowhere.'),
});

const health = object({
  healthProbeBindAddress: optional(word(), "Where health probes are answered."),
  readinessEndpointName: optional(word(), "The path of readiness; readyz by default."),
  livenessEndpointName: optional(word(), "The path of liveness; healthz by default."),
});

const webhook = object({
  port: optional(integer({ minimum: 1, maximum: 65535 }), "The port on which webhooks are served."),
  host: optional(word(), "The host name to which the webhook server binds."),
  certDir: optional(word(), "The folder with tls.crt and tls.key."),
});

const properties = {
  syncPeriod: optional(
    periodOrSeconds(),
    "How often everything is reconciled at least: a duration such as 10h, or a number of seconds.",
  ),
  leaderElection: optional(leaderElection, "How the replicas agree on a leader."),
  cacheNamespace: optional(
    string({ maxLength: 63 }),
    "Ignored, with a condition that says so: what an instance watches is declared in spec.watch.",
  ),
  gracefulShutDown: optional(
    periodOrEndless(),
    "For how long the manager may take to stop; negative for as long as it needs.",
  ),
  metrics: optional(metrics, "The metrics of the manager."),
  metricsAddress: optional(word(), "The other way to write metrics.bindAddress."),
  health: optional(health, "The health probes of the manager."),
  webhook: optional(webhook, "The webhook server of the manager."),
  profilerAddress: optional(
    word(),
    "Where the profiler is served, such as localhost:6060. Off by default.",
  ),
  maxConcurrentReconciles: optional(
    integer({ minimum: 1 }),
    "How many objects of a kind are reconciled at once. Where it is not set, 10, or what the manager " +
      "does by itself where that is more.",
  ),
  verbosity: optional(integer({ minimum: 0 }), "How much is logged. 1 by default."),
  featureGates: optional(
    map(boolean(), { maxProperties: 100 }),
    "Features of the provider to switch on or off.",
  ),
};

/** All that must stand still while debug is on. */
const unchanged = Object.keys(properties)
  .map(
    (name) =>
      `has(self.${name}) == has(oldSelf.${name}) && ` +
      `(!has(self.${name}) || self.${name} == oldSelf.${name})`,
  )
  .join(" && ");

/** The fields for the controller manager of a provider. */
export const managerSpec = object(
  {
    ...properties,
    debug: optional(
      boolean(),
      "Sets verbosity to 5 and profilerAddress to localhost:6060 for a debugging session. While it " +
        "is on, nothing else of manager can be changed.",
    ),
  },
  {
    rules: [
      rule(
        `!(has(self.debug) && self.debug && has(oldSelf.debug) && oldSelf.debug) || (${unchanged})`,
        "nothing else can be changed while debug is on; switch debug off first",
      ),
      rule(
        "!has(self.metricsAddress) || !has(self.metrics) || !has(self.metrics.bindAddress) || " +
          "self.metrics.bindAddress == self.metricsAddress",
        "metricsAddress and metrics.bindAddress are the same thing and must not differ",
      ),
    ],
  },
);
