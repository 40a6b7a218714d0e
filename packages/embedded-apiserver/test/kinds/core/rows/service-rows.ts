import type { Row } from "../../kind-differential.ts";

type Rows = Readonly<Record<string, Row>>;

const ports = [{ port: 80 }];
const selector = { app: "a" };

function service(spec: object, metadata?: object): Row {
  return { object: { spec: { ports, ...spec }, ...(metadata && { metadata }) } };
}

function change(old: object, spec: object): Row {
  return { object: { spec: { ports, ...spec } }, old: { spec: { ports, ...old } } };
}

const newServices: Rows = {
  "one port": service({}),
  "a selector": service({ selector }),
  "no port": { object: {} },
  "two ports with names": service({
    ports: [
      { name: "a", port: 80, targetPort: "http" },
      { name: "b", port: 81, protocol: "UDP", targetPort: 8081, appProtocol: "example.com/x" },
    ],
  }),
  "two ports without names": service({ ports: [{ port: 80 }, { port: 81 }] }),
  "two ports of one name": service({
    ports: [
      { name: "a", port: 80 },
      { name: "a", port: 81 },
    ],
  }),
  "one port twice": service({
    ports: [
      { name: "a", port: 80 },
      { name: "b", port: 80 },
    ],
  }),
  "port 0": service({ ports: [{ port: 0 }] }),
  "port 70000 to a bad name over nothing": service({
    ports: [
      { name: "A", port: 70000, targetPort: "no_name", protocol: "ICMP", appProtocol: "a b" },
    ],
  }),
  "a bad selector": service({ selector: { "a b": "c d" } }),
  "a name with dots": service({}, { name: "a.b" }),
  "a name that begins with a digit": service({}, { name: "1a" }),
  "client affinity": service({ sessionAffinity: "ClientIP" }),
  "client affinity for a day": service({
    sessionAffinity: "ClientIP",
    sessionAffinityConfig: { clientIP: { timeoutSeconds: 86400 } },
  }),
  "client affinity for longer": service({
    sessionAffinity: "ClientIP",
    sessionAffinityConfig: { clientIP: { timeoutSeconds: 86401 } },
  }),
  "affinity that there is not": service({ sessionAffinity: "Cookie" }),
  "no affinity with a time": service({
    sessionAffinityConfig: { clientIP: { timeoutSeconds: 10 } },
  }),
  "a type that there is not": service({ type: "Fancy" }),
  headless: service({ clusterIP: "None", selector }),
  "headless without a selector": service({ clusterIP: "None" }),
  "headless without a port": { object: { spec: { clusterIP: "None", selector } } },
  "headless with what is ignored": service({
    clusterIP: "None",
    selector,
    externalIPs: ["1.2.3.4"],
    loadBalancerIP: "1.2.3.4",
    sessionAffinity: "ClientIP",
  }),
  "headless with a node port": service({ clusterIP: "None", type: "NodePort" }),
  "headless with a load balancer": service({ clusterIP: "None", type: "LoadBalancer" }),
  "an address that is none": service({ clusterIP: "x" }),
  "an address outside of the range": service({ clusterIP: "192.168.0.1" }),
  "the address of the kubernetes service": service({ clusterIP: "10.0.0.1" }),
  "the first of the addresses is another": service({
    clusterIP: "10.0.0.50",
    clusterIPs: ["10.0.0.51"],
  }),
  "addresses without the first": service({ clusterIPs: ["10.0.0.51"] }),
  "two addresses of one family": service({
    clusterIP: "10.0.0.50",
    clusterIPs: ["10.0.0.50", "10.0.0.51"],
  }),
  "three addresses": service({
    clusterIP: "10.0.0.50",
    clusterIPs: ["10.0.0.50", "fd00::1", "10.0.0.51"],
    ipFamilyPolicy: "PreferDualStack",
  }),
  "none and another": service({ clusterIP: "None", clusterIPs: ["None", "10.0.0.51"] }),
  "an IPv6 address": service({ clusterIP: "fd00::1" }),
  IPv6: service({ ipFamilies: ["IPv6"] }),
  "IPv4 said so": service({ ipFamilies: ["IPv4"], ipFamilyPolicy: "SingleStack" }),
  "a family that there is not": service({ ipFamilies: ["IPv5"] }),
  "a family twice": service({ ipFamilies: ["IPv4", "IPv4"] }),
  "two families": service({ ipFamilies: ["IPv4", "IPv6"] }),
  "two families if there are": service({ ipFamilyPolicy: "PreferDualStack" }),
  "two families in any case": service({ ipFamilyPolicy: "RequireDualStack" }),
  "a family policy that there is not": service({ ipFamilyPolicy: "Some" }),
  "another family than the address": service({
    clusterIP: "10.0.0.50",
    ipFamilies: ["IPv6"],
  }),
  "an external name": { object: { spec: { type: "ExternalName", externalName: "example.com." } } },
  "an external name with a port": service({ type: "ExternalName", externalName: "example.com" }),
  "an external name that is none": {
    object: { spec: { type: "ExternalName", externalName: "A" } },
  },
  "an external name that is missing": { object: { spec: { type: "ExternalName" } } },
  "an external name with addresses": service({
    type: "ExternalName",
    externalName: "example.com",
    clusterIP: "10.0.0.50",
    ipFamilies: ["IPv4"],
    ipFamilyPolicy: "SingleStack",
    externalIPs: ["1.2.3.4"],
  }),
  "an external name of another type": service({ externalName: "example.com" }),
  "node ports": service({ type: "NodePort" }),
  "a node port that is asked for": service({
    type: "NodePort",
    ports: [{ port: 80, nodePort: 30123 }],
  }),
  "one node port twice": service({
    type: "NodePort",
    ports: [
      { name: "a", port: 80, nodePort: 30123 },
      { name: "b", port: 81, nodePort: 30123 },
    ],
  }),
  "one node port for two protocols": service({
    type: "NodePort",
    ports: [
      { name: "a", port: 80, nodePort: 30124 },
      { name: "b", port: 80, protocol: "UDP" },
    ],
  }),
  "a node port of a cluster IP": service({ ports: [{ port: 80, nodePort: 30123 }] }),
  "a load balancer": service({ type: "LoadBalancer" }),
  "a load balancer without node ports": service({
    type: "LoadBalancer",
    allocateLoadBalancerNodePorts: false,
  }),
  "a load balancer with a class and ranges": service({
    type: "LoadBalancer",
    loadBalancerClass: "example.com/fast",
    loadBalancerSourceRanges: ["10.0.0.0/8", " 1.2.3.4/32"],
    loadBalancerIP: "01.2.3.4",
  }),
  "a load balancer with a bad class and bad ranges": service({
    type: "LoadBalancer",
    loadBalancerClass: "a b",
    loadBalancerSourceRanges: ["10.0.0.0"],
  }),
  "ranges in an annotation": service(
    { type: "LoadBalancer" },
    { annotations: { "service.beta.kubernetes.io/load-balancer-source-ranges": "1.2.3.4, 5/6" } },
  ),
  "ranges of a cluster IP": service({ loadBalancerSourceRanges: ["10.0.0.0/8"] }),
  "ranges in an annotation of a cluster IP": service(
    {},
    { annotations: { "service.beta.kubernetes.io/load-balancer-source-ranges": "10.0.0.0/8" } },
  ),
  "a class of a cluster IP": service({ loadBalancerClass: "example.com/fast" }),
  "allocation of a cluster IP": service({ allocateLoadBalancerNodePorts: true }),
  "local traffic from outside": service({ type: "LoadBalancer", externalTrafficPolicy: "Local" }),
  "local traffic to a node port": service({ type: "NodePort", externalTrafficPolicy: "Local" }),
  "some traffic from outside": service({ type: "NodePort", externalTrafficPolicy: "Some" }),
  "traffic from outside to a cluster IP": service({ externalTrafficPolicy: "Local" }),
  "a health check that is not needed": service({ type: "NodePort", healthCheckNodePort: 30001 }),
  "local traffic inside": service({ internalTrafficPolicy: "Local" }),
  "some traffic inside": service({ internalTrafficPolicy: "Some" }),
  "close traffic": service({ trafficDistribution: "PreferClose" }),
  "traffic by chance": service({ trafficDistribution: "Chance" }),
  "external addresses": service({ externalIPs: ["1.2.3.4", "2001:DB8::1"] }),
  "external addresses that cannot be": service({
    externalIPs: ["x", "127.0.0.1", "169.254.1.1", "0.0.0.0", "224.0.0.1"],
  }),
  "hints by annotations": service(
    {},
    {
      annotations: {
        "service.kubernetes.io/topology-aware-hints": "auto",
        "service.kubernetes.io/topology-mode": "Auto",
      },
    },
  ),
};

const changedServices: Rows = {
  "the same again": change({}, {}),
  "another port": change({}, { ports: [{ port: 81 }] }),
  "no port any more": change({}, { ports: [] }),
  "another address": change({}, { clusterIP: "10.0.0.77" }),
  "no address any more": change({}, { clusterIP: "None" }),
  "headless no more": change({ clusterIP: "None" }, { clusterIP: "10.0.0.78" }),
  "headless still, said by nothing": change({ clusterIP: "None", selector }, { selector }),
  "node ports from now on": change({}, { type: "NodePort" }),
  "node ports no more": change({ type: "NodePort" }, {}),
  "a node port is kept": change({ type: "NodePort" }, { type: "NodePort" }),
  "a load balancer no more": change(
    { type: "LoadBalancer", loadBalancerClass: "example.com/a", externalTrafficPolicy: "Local" },
    {},
  ),
  "another class": change(
    { type: "LoadBalancer", loadBalancerClass: "example.com/a" },
    { type: "LoadBalancer", loadBalancerClass: "example.com/b" },
  ),
  "a class of which nothing is said any more": change(
    { type: "LoadBalancer", loadBalancerClass: "example.com/a" },
    { type: "LoadBalancer" },
  ),
  "an external name from now on": change({}, { type: "ExternalName", externalName: "example.com" }),
  "an external name no more": change({ type: "ExternalName", externalName: "example.com" }, {}),
  "a cluster IP with a traffic policy no longer reachable": change(
    { externalIPs: ["1.2.3.4"] },
    {},
  ),
  "two families if there are, later": change({}, { ipFamilyPolicy: "PreferDualStack" }),
  "two families in any case, later": change({}, { ipFamilyPolicy: "RequireDualStack" }),
  "IPv6 later": change({}, { ipFamilies: ["IPv6"] }),
};

const balanced = { spec: { ports, type: "LoadBalancer" } };
const ingress = (...items: object[]) => ({ loadBalancer: { ingress: items } });

const statuses: Rows = {
  "an address of a load balancer": {
    old: balanced,
    object: { ...balanced, status: ingress({ ip: "1.2.3.4" }, { hostname: "b.example.com" }) },
    status: true,
  },
  "bad addresses of a load balancer": {
    old: balanced,
    object: {
      ...balanced,
      status: ingress({ ip: "x" }, { hostname: "1.2.3.4" }, { hostname: "A", ipMode: "VIP" }),
    },
    status: true,
  },
  "an address of a cluster IP": {
    old: { spec: { ports } },
    object: { spec: { ports }, status: ingress({ ip: "1.2.3.4" }) },
    status: true,
  },
};

export const serviceRows: Rows = { ...newServices, ...changedServices, ...statuses };

/** Addresses and ports that the server chooses are any. */
export function normalizeService(object: Record<string, unknown>): void {
  const { spec } = object as { spec?: Record<string, unknown> };
  if (spec === undefined) return;
  if (typeof spec.clusterIP === "string" && spec.clusterIP !== "None") {
    spec.clusterIP = "<allocated>";
    spec.clusterIPs = ["<allocated>"];
  }
  if (spec.healthCheckNodePort) spec.healthCheckNodePort = "<allocated>";
  for (const port of (spec.ports ?? []) as Record<string, unknown>[]) {
    if (port.nodePort) port.nodePort = "<allocated>";
  }
}
