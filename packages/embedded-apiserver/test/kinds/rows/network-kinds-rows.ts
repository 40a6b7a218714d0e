import type { Row } from "../kind-differential.ts";

type Rows = Readonly<Record<string, Row>>;

const policy = (fields: object): Row => ({ object: { spec: { podSelector: {}, ...fields } } });
const from = (...peers: object[]): Row => policy({ ingress: [{ from: peers }] });
const ports = (...each: object[]): Row => policy({ egress: [{ ports: each }] });
const block = (cidr: string, ...except: string[]): Row => from({ ipBlock: { cidr, except } });

export const networkPolicyRows: Rows = {
  "an empty one": policy({}),
  "no spec": { object: {} },
  "a selector": policy({ podSelector: { matchLabels: { a: "b", c: "d" } } }),
  "an expression": policy({
    podSelector: { matchExpressions: [{ key: "a", operator: "NotIn", values: ["b", "c"] }] },
  }),
  "a bad selector": policy({ podSelector: { matchLabels: { "a b": "c d" } } }),
  "rules of egress": policy({ egress: [{}] }),
  types: policy({ policyTypes: ["Egress"] }),
  "an unknown type": policy({ policyTypes: ["Sideways"] }),
  "too many types": policy({ policyTypes: ["Egress", "Ingress", "Egress"] }),
  "a port": ports({ port: 80 }),
  "a port by its name": ports({ port: "http", protocol: "UDP" }),
  "a range of ports": ports({ port: 80, endPort: 90 }),
  "no port but a protocol": ports({ protocol: "SCTP" }),
  "an unknown protocol": ports({ protocol: "tcp" }),
  "an empty protocol": ports({ protocol: "" }),
  "a port that is too high": ports({ port: 65536 }),
  "port zero": ports({ port: 0 }),
  "a bad name of a port": ports({ port: "not_a_port_name_at_all" }),
  "an end before its beginning": ports({ port: 80, endPort: 70 }),
  "an end that is too high": ports({ port: 80, endPort: 70000 }),
  "an end without a beginning": ports({ endPort: 70 }),
  "an end after a name": ports({ port: "http", endPort: 70 }),
  peers: from({ podSelector: {}, namespaceSelector: { matchLabels: { a: "b" } } }),
  "an empty peer": from({}),
  "peers with bad selectors": from(
    { podSelector: { matchLabels: { a: "-" } } },
    { namespaceSelector: { matchExpressions: [{ key: "a", operator: "Exists", values: ["b"] }] } },
  ),
  "a block": block("10.0.0.0/8", "10.1.0.0/16"),
  "a block of IPv6": block("2001:db8::/32", "2001:db8:1::/48"),
  "a block and a selector": from({ ipBlock: { cidr: "10.0.0.0/8" }, podSelector: {} }),
  "a block without a network": from({ ipBlock: {} }),
  "a block that is none": block("10.0.0.0"),
  "a block that is none with exceptions": block("ten", "10.0.0.0/8"),
  "an exception that is none": block("10.0.0.0/8", "ten"),
  "an exception outside": block("10.0.0.0/8", "11.0.0.0/16"),
  "an exception as large": block("10.0.0.0/8", "10.0.0.0/8"),
  "an exception of another family": block("10.0.0.0/8", "2001:db8::/48"),
  "a block with more bits than its length": block("10.1.2.3/8", "10.1.2.3/16"),
  "a block with zeros before numbers": block("010.0.0.0/08"),
  "a block in capitals": block("2001:DB8::/32"),
  "a block of everything": block("0.0.0.0/0", "10.0.0.0/8"),
  "a block with too long a prefix": block("10.0.0.0/33"),
  "a changed selector": {
    ...policy({ podSelector: { matchLabels: { a: "b" } } }),
    old: { spec: { podSelector: {} } },
  },
  "only labels changed": {
    object: { spec: { podSelector: {} }, metadata: { labels: { a: "b" } } },
    old: { spec: { podSelector: {} } },
  },
  "a change for the worse": {
    ...ports({ port: 0 }),
    old: { spec: { podSelector: {} } },
  },
};

const slice = (fields: object): Row => ({
  object: { addressType: "IPv4", endpoints: [], ports: [], ...fields },
});
const addresses = (addressType: string, ...each: string[]): Row =>
  slice({ addressType, endpoints: [{ addresses: each }] });
const endpoint = (fields: object): Row =>
  slice({ endpoints: [{ addresses: ["10.0.0.1"], ...fields }] });
const many = <T>(length: number, item: (i: number) => T) =>
  Array.from({ length }, (_, i) => item(i));

export const endpointSliceRows: Rows = {
  "an empty one": slice({}),
  "nothing at all": { object: {} },
  "an unknown type": slice({ addressType: "IPv5" }),
  "an endpoint": slice({
    endpoints: [
      {
        addresses: ["10.0.0.1"],
        conditions: { ready: true, serving: true, terminating: false },
        hostname: "a",
        nodeName: "n",
        zone: "z",
        targetRef: { kind: "Pod", name: "p", namespace: "x" },
        hints: { forZones: [{ name: "z" }], forNodes: [{ name: "n" }] },
      },
    ],
    ports: [{ port: 80 }, { name: "https", port: 443, protocol: "TCP", appProtocol: "https" }],
  }),
  "many endpoints and ports": slice({
    endpoints: many(5, (i) => ({ addresses: [`10.0.0.${i + 1}`] })),
    ports: many(4, (i) => ({ name: `p${i}`, port: i + 1 })),
  }),
  "ports without numbers": slice({ ports: [{ name: "a" }, { name: "" }] }),
  "a name of a port twice": slice({ ports: [{ name: "a" }, { name: "a" }] }),
  "a bad name of a port": slice({ ports: [{ name: "A_b" }] }),
  "an unknown protocol": slice({ ports: [{ protocol: "tcp" }] }),
  "an empty protocol": slice({ ports: [{ protocol: "" }] }),
  "a bad protocol of the application": slice({ ports: [{ appProtocol: "not good" }] }),
  "no address": addresses("IPv4"),
  "too many addresses": addresses("IPv4", ...many(101, (i) => `10.0.0.${i}`)),
  "too many endpoints": slice({ endpoints: many(1001, () => ({ addresses: ["10.0.0.1"] })) }),
  "IPv6 among IPv4": addresses("IPv4", "2001:db8::1"),
  "IPv4 among IPv6": addresses("IPv6", "10.0.0.1"),
  IPv6: addresses("IPv6", "2001:db8::1"),
  "IPv6 in capitals": addresses("IPv6", "2001:DB8::1"),
  "IPv6 that is none": addresses("IPv6", "2001:db8"),
  "IPv4 that is none": addresses("IPv4", "10.0.0"),
  "IPv4 with zeros before numbers": addresses("IPv4", "010.000.0.001"),
  "IPv4 within IPv6": addresses("IPv4", "::ffff:10.0.0.1"),
  "an address of the machine": addresses("IPv4", "127.0.0.1"),
  "no address in particular": addresses("IPv4", "0.0.0.0"),
  "an address of the link": addresses("IPv4", "169.254.1.1"),
  "an address of all on the link": addresses("IPv4", "224.0.0.1"),
  "an IPv6 address of the link": addresses("IPv6", "fe80::1"),
  "names of hosts": addresses("FQDN", "a.example.com", "b.example.com."),
  "a name of one part": addresses("FQDN", "a"),
  "a name that is none": addresses("FQDN", "not good"),
  "an empty name": addresses("FQDN", ""),
  "a name with a long part": addresses("FQDN", `${"a".repeat(64)}.example.com`),
  "a bad node": endpoint({ nodeName: "A_b" }),
  "a bad hostname": endpoint({ hostname: "a.b" }),
  "topology of an old version": endpoint({ deprecatedTopology: { a: "b" } }),
  "a zone twice": endpoint({ hints: { forZones: [{ name: "z" }, { name: "z" }] } }),
  "a bad zone": endpoint({ hints: { forZones: [{ name: "not good" }] } }),
  "too many zones": endpoint({ hints: { forZones: many(9, (i) => ({ name: `z${i}` })) } }),
  "a node twice": endpoint({ hints: { forNodes: [{ name: "n" }, { name: "n" }] } }),
  "too many nodes": endpoint({ hints: { forNodes: many(9, (i) => ({ name: `n${i}` })) } }),
  "a slice of the controller": {
    object: {
      addressType: "IPv6",
      endpoints: [{ addresses: ["2001:db8::1"] }],
      ports: [],
      metadata: {
        labels: { "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io" },
      },
    },
  },
  "a changed type": {
    ...slice({ addressType: "IPv6" }),
    old: { addressType: "IPv4", endpoints: [], ports: [] },
  },
  "changed endpoints": {
    ...endpoint({}),
    old: { addressType: "IPv4", endpoints: [], ports: [] },
  },
  "changed labels": {
    ...slice({ metadata: { labels: { a: "b" } } }),
    old: { addressType: "IPv4", endpoints: [], ports: [] },
  },
  "changed annotations": {
    ...slice({ metadata: { annotations: { a: "b" } } }),
    old: { addressType: "IPv4", endpoints: [], ports: [] },
  },
};

const event = (fields: object): Row => ({ object: { ...validEvent, ...fields } });
const validEvent = {
  eventTime: "2026-01-01T00:00:00.000000Z",
  reportingController: "example.com/c",
  reportingInstance: "c-1",
  action: "Act",
  reason: "Because",
  type: "Normal",
  regarding: { kind: "Pod", name: "p", namespace: "other" },
};
const changed = (fields: object): Row => ({ ...event(fields), old: validEvent });

export const eventRows: Rows = {
  "an event": event({ note: " text \n" }),
  "an event with everything": event({
    type: "Warning",
    related: { kind: "Node", name: "n" },
    series: { count: 2, lastObservedTime: "2026-01-01T00:00:00.000000Z" },
    regarding: { kind: "Pod", name: "p", namespace: "other", fieldPath: "spec", uid: "u" },
  }),
  "nothing at all": { object: {} },
  "no time": event({ eventTime: null }),
  "no controller": event({ reportingController: "" }),
  "a bad controller": event({ reportingController: "not good" }),
  "no instance, action and reason": event({ reportingInstance: "", action: "", reason: "" }),
  "texts that are too long": event({
    reportingInstance: "x".repeat(129),
    action: "x".repeat(129),
    reason: "x".repeat(129),
    note: "x".repeat(1025),
  }),
  "an unknown type": event({ type: "Odd" }),
  "no type": event({ type: "" }),
  "of something without a namespace": event({ regarding: { kind: "Node", name: "n" } }),
  "old fields": event({
    deprecatedCount: 1,
    deprecatedFirstTimestamp: "2026-01-01T00:00:00Z",
    deprecatedLastTimestamp: "2026-01-01T00:00:00Z",
    deprecatedSource: { component: "c", host: "h" },
  }),
  "a series of one": event({ series: { count: 1, lastObservedTime: null } }),
  "a new series": changed({
    series: { count: 3, lastObservedTime: "2026-01-01T00:00:01.000000Z" },
  }),
  "a bad new series": changed({ series: { count: 1, lastObservedTime: null } }),
  "changed fields": changed({
    eventTime: "2026-01-01T00:00:01.000000Z",
    reportingController: "example.com/d",
    reportingInstance: "d-1",
    action: "Other",
    reason: "Why",
    type: "Warning",
    note: "n",
    regarding: { kind: "Node", name: "q", namespace: "other" },
    related: { kind: "Node", name: "n", apiVersion: "v1" },
    deprecatedSource: { component: "c" },
    deprecatedCount: 2,
    deprecatedFirstTimestamp: "2026-01-01T00:00:00Z",
    deprecatedLastTimestamp: "2026-01-01T00:00:00Z",
  }),
};
