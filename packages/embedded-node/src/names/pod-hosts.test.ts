import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { EndpointSlice, Service } from "@rookery/api";
import { podOf } from "../../test/pod.ts";
import { hostsText } from "./pod-hosts.ts";
import { serviceNames } from "./service-names.ts";

const service = (name: string, clusterIP: string, namespace = "birds"): Service => ({
  metadata: { name, namespace },
  spec: { clusterIP },
});
const endpoints = (
  name: string,
  ...given: NonNullable<EndpointSlice["endpoints"]>
): EndpointSlice => ({
  addressType: "IPv4",
  metadata: { name, namespace: "birds", labels: { "kubernetes.io/service-name": name } },
  endpoints: given,
});

describe("the names of Services", () => {
  it("are those of their addresses, or of the pods that are ready behind them", () => {
    const services = [service("web", "127.96.0.7"), service("db", "None"), service("far", "")];
    const slices = [
      endpoints(
        "db",
        { addresses: ["127.64.0.1"], hostname: "db-0", conditions: { ready: true } },
        { addresses: ["127.64.0.2"], hostname: "db-1", conditions: { ready: false } },
        { addresses: ["127.64.0.3"] },
      ),
      endpoints("web", { addresses: ["127.64.0.9"] }),
      JSON.parse(JSON.stringify({ ...endpoints("far"), endpoints: null })),
    ];
    assert.deepEqual(
      serviceNames(services, slices).map(({ address, name }) => `${address} ${name}`),
      ["127.96.0.7 web", "127.64.0.1 db", "127.64.0.1 db-0.db", "127.64.0.3 db"],
    );
  });

  it("stand below the machine's own and those that the pod brings", () => {
    const names = serviceNames(
      [service("web", "127.96.0.7"), service("a", "127.96.0.8", "far")],
      [],
    );
    const pod = podOf({ hostAliases: [{ ip: "10.0.0.1", hostnames: ["one", "two"] }] });
    const machine = "127.0.0.1 localhost\n";
    const near = { ...pod, metadata: { ...pod.metadata, name: "p", namespace: "birds" } };
    assert.equal(
      hostsText(near, { address: "127.64.0.5", machine, names }),
      `# Kubernetes-managed hosts file (host network).
127.0.0.1 localhost
127.64.0.5	p

# Entries added by HostAliases.
10.0.0.1	one	two

# Services, in place of cluster DNS.
127.96.0.7	web.birds.svc.cluster.local	web.birds.svc	web.birds	web
127.96.0.8	a.far.svc.cluster.local	a.far.svc	a.far
`,
    );
  });
});
