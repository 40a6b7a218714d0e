import type { Provider } from "@rookery/api";
import { type Condition, getCondition, parseTime } from "@rookery/kube";
import { Counter, Gauge, Histogram, type Metrics } from "@rookery/runtime";
import { type ConditionType, isProgress, phaseConditions } from "../conditions/reasons.ts";

/** Metrics of providers, derived from changes of their conditions. */
export interface OperatorMetrics {
  /** Called after the status of a provider was written. */
  observe(before: Provider, after: Provider): void;
  forget(provider: Provider): void;
}

const buckets = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200];

export function createOperatorMetrics({ registry }: Pick<Metrics, "registry">): OperatorMetrics {
  const registers = [registry];
  const ofInstalls = { labelNames: ["kind", "operation"], registers } as const;
  const ofProviders = { labelNames: ["kind", "namespace", "name"], registers } as const;
  const installs = new Counter({
    name: "rookery_provider_installs_total",
    help: "Installs of providers that came to their end, by operation: install or upgrade",
    ...ofInstalls,
  });
  const durations = new Histogram({
    name: "rookery_provider_install_duration_seconds",
    help: "How long installs of providers took, until all components were in the cluster",
    buckets,
    ...ofInstalls,
  });
  const failures = new Counter({
    name: "rookery_provider_failures_total",
    help: "Failures of providers, by the condition that tells of them and its reason",
    labelNames: ["kind", "condition", "reason"],
    registers,
  });
  const ready = new Gauge({
    name: "rookery_provider_ready",
    help: "Whether a provider is ready: 1 where it is",
    ...ofProviders,
  });
  const gaps = new Gauge({
    name: "rookery_provider_namespace_gap",
    help: "Whether nobody watches some namespaces of a provider, as its object says: 1 where it is so",
    ...ofProviders,
  });
  return {
    observe(before, after) {
      const { kind } = after;
      const install = installBetween(before, after);
      if (install) {
        installs.inc({ kind, operation: install.operation });
        durations.observe({ kind, operation: install.operation }, install.seconds);
      }
      for (const { type, reason } of failuresBetween(before, after)) {
        failures.inc({ kind, condition: type, reason });
      }
      ready.set(labelsOf(after), conditionOf(after, "Ready")?.status === "True" ? 1 : 0);
      gaps.set(labelsOf(after), conditionOf(after, "Warning")?.reason === "NamespaceGap" ? 1 : 0);
    },
    forget(provider) {
      ready.remove(labelsOf(provider));
      gaps.remove(labelsOf(provider));
    },
  };
}

function labelsOf({ kind, metadata: { namespace = "", name = "" } }: Provider) {
  return { kind, namespace, name };
}

function conditionOf({ status }: Provider, type: ConditionType): Condition | undefined {
  return getCondition(status?.conditions, type);
}

function installBetween(before: Provider, after: Provider) {
  const [was, is] = [before, after].map((one) => conditionOf(one, "ProviderInstalled"));
  if (is?.status !== "True" || was?.status === "True") return undefined;
  // Every change of an installed provider has this condition.
  const operation = conditionOf(before, "ProviderUpgraded") ? "upgrade" : "install";
  const began = was?.lastTransitionTime ?? after.metadata.creationTimestamp;
  const seconds = began ? secondsBetween(began, is.lastTransitionTime) : 0;
  return { operation, seconds };
}

function failuresBetween(before: Provider, after: Provider): readonly Condition[] {
  return phaseConditions.flatMap((type) => {
    const [was, is] = [conditionOf(before, type), conditionOf(after, type)];
    if (is?.status !== "False" || isProgress(is.reason)) return [];
    return was?.status === "False" && was.reason === is.reason ? [] : [is];
  });
}

function secondsBetween(began: string, ended: string): number {
  return Math.max(0, (parseTime(ended).getTime() - parseTime(began).getTime()) / 1000);
}
