import type { Service, ServiceSpec } from "@rookery/api";

/** What follows from the type of a Service. */
export function specOf(service: Service): ServiceSpec {
  service.spec ??= {};
  return service.spec;
}

export function isHeadless({ clusterIPs = [] }: ServiceSpec): boolean {
  return clusterIPs.length === 1 && clusterIPs[0] === "None";
}

/** Whether it has addresses within the cluster; a headless one says that it has none. */
export function needsClusterIp({ type }: ServiceSpec): boolean {
  return type !== "ExternalName";
}

export function needsNodePorts({ type }: ServiceSpec): boolean {
  return type === "NodePort" || type === "LoadBalancer";
}

/** Whether ports of nodes are given to it where it names none. */
export function allocatesNodePorts(spec: ServiceSpec): boolean {
  if (spec.type === "LoadBalancer") return spec.allocateLoadBalancerNodePorts === true;
  return spec.type === "NodePort";
}

export function isExternallyAccessible(spec: ServiceSpec): boolean {
  return needsNodePorts(spec) || (spec.type === "ClusterIP" && hasItems(spec.externalIPs));
}

/** Whether a load balancer has to ask nodes if they have endpoints. */
export function needsHealthCheck({ type, externalTrafficPolicy }: ServiceSpec): boolean {
  return type === "LoadBalancer" && externalTrafficPolicy === "Local";
}

export function hasItems(list: readonly unknown[] | undefined): boolean {
  return list !== undefined && list.length > 0;
}

export function nodePortsOf({ ports = [] }: ServiceSpec): number[] {
  return ports.flatMap(({ nodePort = 0 }) => (nodePort === 0 ? [] : [nodePort]));
}
