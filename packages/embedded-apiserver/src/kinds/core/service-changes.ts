import type { Service, ServiceSpec } from "@rookery/api";
import { isSameValue } from "../meta/field-rules.ts";
import {
  hasItems,
  isExternallyAccessible,
  needsClusterIp,
  needsHealthCheck,
  needsNodePorts,
  nodePortsOf,
  specOf,
} from "./service-types.ts";

/** Keeps clusterIP and the first of clusterIPs equal. */
export function normalizeClusterIps(spec: ServiceSpec, old?: ServiceSpec): void {
  const { clusterIP = "" } = spec;
  if (old === undefined) {
    if (clusterIP !== "" && !hasItems(spec.clusterIPs)) spec.clusterIPs = [clusterIP];
    return;
  }
  const { clusterIP: oldIp = "", clusterIPs: oldIps = [] } = old;
  if (oldIps.length > 0 && !hasItems(spec.clusterIPs) && oldIp === clusterIP) {
    spec.clusterIPs = [...oldIps];
  }
  if (oldIp === clusterIP || !isSameValue(oldIps, spec.clusterIPs)) return;
  if (clusterIP === "") delete spec.clusterIPs;
  else spec.clusterIPs = [clusterIP];
}

/** Keeps allocated addresses and ports that the client does not set. */
export function keepAllocated(spec: ServiceSpec, old: ServiceSpec): void {
  if (needsClusterIp(old) && needsClusterIp(spec)) {
    if (!spec.clusterIP && old.clusterIP) spec.clusterIP = old.clusterIP;
    if (!hasItems(spec.clusterIPs) && old.clusterIPs) spec.clusterIPs = [...old.clusterIPs];
  }
  if (needsNodePorts(old) && needsNodePorts(spec)) keepNodePorts(spec, old);
  if (needsHealthCheck(old) && needsHealthCheck(spec)) {
    spec.healthCheckNodePort ||= old.healthCheckNodePort ?? 0;
  }
}

function keepNodePorts(spec: ServiceSpec, old: ServiceSpec): void {
  const wanted = nodePortsOf(spec);
  const byName = new Map((old.ports ?? []).map(({ name = "", nodePort = 0 }) => [name, nodePort]));
  for (const port of spec.ports ?? []) {
    const before = byName.get(port.name ?? "") ?? 0;
    if (!port.nodePort && before !== 0 && !wanted.includes(before)) port.nodePort = before;
  }
}

/** Drops the fields of the old type, unless the client changed them too. */
export function dropTypeDependent(service: Service, oldService: Service): void {
  const spec = specOf(service);
  const old = oldService.spec ?? {};
  if (needsClusterIp(old) && !needsClusterIp(spec)) dropAddresses(spec, old);
  if (needsNodePorts(old) && !needsNodePorts(spec)) dropNodePorts(spec, old);
  if (needsHealthCheck(old) && !needsHealthCheck(spec)) dropSame(spec, old, "healthCheckNodePort");
  const isBalanced = spec.type === "LoadBalancer";
  if (old.type === "LoadBalancer" && !isBalanced) {
    dropSame(spec, old, "allocateLoadBalancerNodePorts");
    dropSame(spec, old, "loadBalancerClass");
  }
  if (isExternallyAccessible(old) && !isExternallyAccessible(spec)) {
    dropSame(spec, old, "externalTrafficPolicy");
  }
  if (!isBalanced && service.status !== undefined) {
    service.status = { ...service.status, loadBalancer: {} };
  }
}

function dropSame(spec: ServiceSpec, old: ServiceSpec, field: keyof ServiceSpec): void {
  if (isSameValue(spec[field], old[field])) delete spec[field];
}

function dropAddresses(spec: ServiceSpec, old: ServiceSpec): void {
  if (spec.clusterIP === old.clusterIP && isSameValue(spec.clusterIPs, old.clusterIPs)) {
    delete spec.clusterIP;
    delete spec.clusterIPs;
  }
  dropSame(spec, old, "ipFamilies");
  dropSame(spec, old, "ipFamilyPolicy");
}

function dropNodePorts(spec: ServiceSpec, old: ServiceSpec): void {
  const before = nodePortsOf(old);
  if (!nodePortsOf(spec).every((port) => before.includes(port))) return;
  for (const port of spec.ports ?? []) delete port.nodePort;
}
