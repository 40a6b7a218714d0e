import type { NestedAPIServer } from "@rookery/api";
import type { ComponentObject } from "../component-object.ts";

/** The program that a component runs, as administrators know it. */
export type Program = "etcd" | "kube-apiserver" | "kube-controller-manager" | "rookery";

/**
 * Flags with a number, a duration or a word as their value, whose effect stays in the tenant: none
 * of them names a file, a host or a plugin.
 */
const harmless: Readonly<Record<Program, readonly string[]>> = {
  etcd: [
    "auto-compaction-mode",
    "auto-compaction-retention",
    "election-timeout",
    "heartbeat-interval",
    "snapshot-count",
  ],
  "kube-apiserver": [
    "default-not-ready-toleration-seconds",
    "default-unreachable-toleration-seconds",
    "endpoint-reconciler-type",
    "event-ttl",
    "goaway-chance",
    "max-mutating-requests-inflight",
    "max-requests-inflight",
    "min-request-timeout",
    "request-timeout",
    "runtime-config",
  ],
  "kube-controller-manager": [
    "node-monitor-grace-period",
    "node-monitor-period",
    "terminated-pod-gc-threshold",
  ],
  rookery: [],
};

export function programOf({ kind, spec }: Pick<ComponentObject, "kind" | "spec">): Program {
  switch (kind) {
    case "NestedEtcd":
      return "etcd";
    case "NestedControllerManager":
      return "kube-controller-manager";
    case "NestedAPIServer":
      return (spec as NestedAPIServer["spec"]).profile === "light" ? "rookery" : "kube-apiserver";
  }
}

export function isAllowedArgument(
  program: Program,
  name: string,
  allowed: readonly string[],
): boolean {
  if (harmless[program].includes(name)) return true;
  return allowed.includes(`${program}:${name}`) || allowed.includes(`${program}:*`);
}
