import type { Service, ServicePort, ServiceSpec } from "@rookery/api";
import { isExternallyAccessible, needsClusterIp, specOf } from "./service-types.ts";

const affinitySeconds = 10_800;

export function serviceDefaults(service: Service): void {
  const spec = specOf(service);
  affinityDefaults(spec);
  spec.type ||= "ClusterIP";
  for (const port of spec.ports ?? []) portDefaults(port);
  if (isExternallyAccessible(spec)) spec.externalTrafficPolicy ||= "Cluster";
  const isKnown = ["NodePort", "LoadBalancer", "ClusterIP"].includes(spec.type);
  if (isKnown) spec.internalTrafficPolicy ??= "Cluster";
  if (!needsClusterIp(spec)) delete spec.internalTrafficPolicy;
  if (spec.type === "LoadBalancer") loadBalancerDefaults(service, spec);
}

function affinityDefaults(spec: ServiceSpec): void {
  spec.sessionAffinity ||= "None";
  if (spec.sessionAffinity === "None") delete spec.sessionAffinityConfig;
  if (spec.sessionAffinity !== "ClientIP") return;
  if (spec.sessionAffinityConfig?.clientIP?.timeoutSeconds !== undefined) return;
  spec.sessionAffinityConfig = { clientIP: { timeoutSeconds: affinitySeconds } };
}

function portDefaults(port: ServicePort): void {
  port.protocol ||= "TCP";
  port.targetPort ||= port.port ?? 0;
}

function loadBalancerDefaults({ status }: Service, spec: ServiceSpec): void {
  spec.allocateLoadBalancerNodePorts ??= true;
  for (const ingress of status?.loadBalancer?.ingress ?? []) {
    if (ingress.ip) ingress.ipMode ??= "VIP";
  }
}
