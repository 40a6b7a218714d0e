import assert from "node:assert/strict";
import { Resolver } from "node:dns/promises";
import { test } from "node:test";
import {
  addressesOf,
  type EndpointSlice,
  readQuestion,
  type Service,
  serveDns,
} from "./dns-server.ts";

const service = (name: string, clusterIP: string): Service => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { name, namespace: "team" },
  spec: { clusterIP },
});
const services = [service("web", "10.0.0.7"), service("etcd", "None"), service("empty", "None")];
const slices: EndpointSlice[] = [
  {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: { namespace: "team", labels: { "kubernetes.io/service-name": "etcd" } },
    addressType: "IPv4",
    endpoints: [
      { addresses: ["10.1.0.1"], hostname: "etcd-0", conditions: { ready: true } },
      { addresses: ["10.1.0.2"], hostname: "etcd-1" },
      { addresses: ["10.1.0.3"], hostname: "etcd-2", conditions: { ready: false } },
    ],
  },
];

const names: Record<string, [name: string, addresses: string[] | undefined]> = {
  "a Service is its address": ["web.team.svc.cluster.local", ["10.0.0.7"]],
  "a Service in another namespace is nobody": ["web.other.svc.cluster.local", undefined],
  "a host of a Service with an address is nobody": ["x.web.team.svc.cluster.local", undefined],
  "a headless Service is its ready endpoints": [
    "etcd.team.svc.cluster.local",
    ["10.1.0.1", "10.1.0.2"],
  ],
  "a pod of a headless Service has a name": ["etcd-1.etcd.team.svc.cluster.local", ["10.1.0.2"]],
  "a pod that is not ready has none": ["etcd-2.etcd.team.svc.cluster.local", undefined],
  "a headless Service without pods is there": ["empty.team.svc.cluster.local", []],
  "a name outside of the cluster is nobody": ["example.com", undefined],
};
for (const [sentence, [name, addresses]] of Object.entries(names)) {
  test(sentence, () => assert.deepEqual(addressesOf(name, services, slices), addresses));
}

test("a resolver understands the answers", async () => {
  const lookup = (name: string) => addressesOf(name, services, slices);
  await using server = await serveDns(lookup, { address: "127.0.0.1", port: 0 });
  const resolver = new Resolver();
  resolver.setServers([`127.0.0.1:${server.port}`]);
  const found = await resolver.resolve4("Etcd.Team.svc.cluster.local");
  assert.deepEqual(found.sort(), ["10.1.0.1", "10.1.0.2"]);
  await assert.rejects(resolver.resolve6("web.team.svc.cluster.local"), { code: "ENODATA" });
  await assert.rejects(resolver.resolve4("nobody.team.svc.cluster.local"), { code: "ENOTFOUND" });
});

const malformed: Record<string, Buffer> = {
  "no header": Buffer.alloc(5),
  "two questions": Buffer.from([0, 1, 1, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1]),
  "a name that does not end": Buffer.from([0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 63, 97]),
  "no type": Buffer.from([0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 97, 0]),
};
for (const [sentence, message] of Object.entries(malformed)) {
  test(`a message with ${sentence} is no question`, () => {
    assert.equal(readQuestion(message), undefined);
  });
}
