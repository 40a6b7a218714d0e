import type { Row } from "../../kind-differential.ts";

type Rows = Readonly<Record<string, Row>>;

const subset = (fields: object): Row => ({
  object: { subsets: [{ addresses: [{ ip: "1.2.3.4" }], ...fields }] },
});
const addresses = (...ips: string[]) => subset({ addresses: ips.map((ip) => ({ ip })) });

export const endpointsRows: Rows = {
  none: { object: {} },
  "an address and a port": subset({ ports: [{ port: 80 }] }),
  "two ports": subset({
    ports: [
      { name: "a", port: 80 },
      { name: "b", port: 81, protocol: "UDP", appProtocol: "http" },
    ],
  }),
  "many addresses": subset({
    addresses: ["1.1.1.1", "1.1.1.2", "1.1.1.3", "1.1.1.4", "1.1.1.5"].map((ip) => ({ ip })),
    ports: [{ port: 80 }],
  }),
  "an IPv6 address": subset({ addresses: [{ ip: "2001:db8::1" }], ports: [{ port: 80 }] }),
  "no address": { object: { subsets: [{ ports: [{ port: 80 }] }] } },
  "addresses that cannot be": addresses("x", "127.0.0.1", "169.254.0.1", "0.0.0.0", "224.0.0.1"),
  "an unusual address": addresses("01.2.3.4"),
  names: subset({ addresses: [{ ip: "1.2.3.4", hostname: "a", nodeName: "n" }] }),
  "bad names": subset({ addresses: [{ ip: "1.2.3.4", hostname: "A", nodeName: "_" }] }),
  "one that is not ready": { object: { subsets: [{ notReadyAddresses: [{ ip: "127.0.0.1" }] }] } },
  "bad ports": subset({
    ports: [{ port: 0 }, { name: "A", port: 70000, protocol: "ICMP", appProtocol: "a b" }],
  }),
  "the same bad ones again": {
    old: { subsets: [{ addresses: [{ ip: "1.2.3.4" }] }] },
    object: { subsets: [{ addresses: [{ ip: "127.0.0.1" }] }] },
  },
};

const event = (fields: object): Row => ({ object: fields });
const now = "2026-01-01T00:00:00.000000Z";
const complete = {
  eventTime: now,
  reportingComponent: "example.com/a",
  reportingInstance: "b",
  action: "c",
  reason: "d",
};

/** Namespaces of objects in events have to be those of the suite, which rows do not know. */
export const eventRows: Rows = {
  "an event of no namespace": event({ involvedObject: { kind: "Node", name: "n" } }),
  "an event of another namespace": event({ involvedObject: { namespace: "other" } }),
  "an event with a time, of no namespace": event({ ...complete, involvedObject: {} }),
  "an event with a time, of another namespace": event({
    ...complete,
    involvedObject: { kind: "Pod", namespace: "other", name: "p", fieldPath: "spec.a" },
    message: " hello ",
    type: "Normal",
    series: { count: 3, lastObservedTime: now },
  }),
  "an event with a time and nothing else": event({
    eventTime: now,
    involvedObject: { namespace: "other" },
  }),
  "an event with too much": event({
    ...complete,
    involvedObject: { namespace: "other" },
    reportingComponent: "a b",
    reportingInstance: "x".repeat(129),
    action: "x".repeat(129),
    reason: "x".repeat(129),
    message: "x".repeat(1025),
  }),
  "a name with capitals": event({
    ...complete,
    involvedObject: { namespace: "other" },
    metadata: { name: "Capital" },
  }),
  "a changed event": {
    old: { ...complete, involvedObject: { namespace: "other" } },
    object: { ...complete, involvedObject: { namespace: "other" }, reason: "x", count: 5 },
  },
};
