import type { Service, ServiceSpec } from "@rookery/api";

/** Returns the spec, and creates an absent one. */
export function specOf(service: Service): ServiceSpec {
  service.spec ??= {};
  return service.spec;
}

export function isHeadless({ clusterIPs = [] }: ServiceSpec): boolean {
  return clusterIPs.length === 1 && clusterIPs[0] === "None";
}

/** Headless Services count too: their cluster IP is "None". */
export function needsClusterIp({ type }: ServiceSpec): boolean {
  return type !== "ExternalName";
}

export function needsNodePorts({ type }: ServiceSpec): boolean {
  return type === "NodePort" || type === "LoadBalancer";
}

/** Whether absent node ports are allocated. */
export function allocatesNodePorts(spec: ServiceSpec): boolean {
  if (spec.type === "LoadBalancer") return spec.allocateLoadBalancerNodePorts === true;
  return spec.type === "NodePort";
}

export function isExternallyAccessible(spec: ServiceSpec): boolean {
  return needsNodePorts(spec) || (spec.type === "ClusterIP" && hasItems(spec.externalIPs));
}

/** Whether a load balancer checks which nodes have endpoints. */
export function needsHealthCheck({ type, externalTrafficPolicy }: ServiceSpec): boolean {
  return type === "LoadBalancer" && externalTrafficPolicy === "Local";
}

export function hasItems(list: readonly unknown[] | undefined): boolean {
  return list !== undefined && list.length > 0;
}

export function nodePortsOf({ ports = [] }: ServiceSpec): number[] {
  return ports.flatMap(({ nodePort = 0 }) => (nodePort === 0 ? [] : [nodePort]));
}
