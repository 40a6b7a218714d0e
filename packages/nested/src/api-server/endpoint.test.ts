import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { NestedAPIServer } from "@rookery/api";
import type { Service } from "../manifests/kinds.ts";
import { endpointOf } from "./endpoint.ts";
import { apiServerService } from "./manifests.ts";

type Wanted = NestedAPIServer["spec"]["service"];

const made = (spec: Service["spec"], ingress: object[] = []): Service => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: {},
  ...(spec && { spec }),
  status: { loadBalancer: { ingress } },
});

describe("clients reach an API server", () => {
  const ports = [
    { port: 443, nodePort: 31443 },
    { port: 6443, nodePort: 30001 },
  ];
  const rows: Record<string, [wanted: Wanted, service: Service, expected: string]> = {
    "at the address of the cluster": [
      { type: "ClusterIP", port: 6443 },
      made({ clusterIP: "10.0.0.9" }),
      "10.0.0.9:6443",
    ],
    "at the host of the spec": [
      { type: "ClusterIP", port: 443, host: "api.example" },
      made({ clusterIP: "10.0.0.9" }),
      "api.example:443",
    ],
    "at no headless Service": [
      { type: "ClusterIP", port: 6443 },
      made({ clusterIP: "None" }),
      "WaitingForAddress",
    ],
    "at the address of a load balancer": [
      { type: "LoadBalancer", port: 6443 },
      made({ clusterIP: "10.0.0.9" }, [{ ip: "192.0.2.1" }, { ip: "192.0.2.2" }]),
      "192.0.2.1:6443",
    ],
    "at the name of a load balancer": [
      { type: "LoadBalancer", port: 6443 },
      made({}, [{ hostname: "lb.example" }]),
      "lb.example:6443",
    ],
    "not yet, while a load balancer has no address": [
      { type: "LoadBalancer", port: 6443 },
      made({ clusterIP: "10.0.0.9" }),
      "WaitingForAddress",
    ],
    "at the port of nodes": [
      { type: "NodePort", port: 443, host: "node.example" },
      made({ ports }),
      "node.example:31443",
    ],
    "not before the port of nodes is known": [
      { type: "NodePort", port: 443, host: "node.example" },
      made({ ports: [{ port: 443 }] }),
      "WaitingForAddress",
    ],
    "only where somebody says which node": [
      { type: "NodePort", port: 443 },
      made({ ports }),
      "HostMissing",
    ],
  };
  for (const [name, [wanted, service, expected]] of Object.entries(rows)) {
    it(name, () => {
      const found = endpointOf(wanted, service);
      assert.equal("reason" in found ? found.reason : `${found.host}:${found.port}`, expected);
    });
  }
});

it("pods find the API server at its own port, whichever one others use", () => {
  const portsOf = (port: number) =>
    apiServerService({
      cluster: "blue",
      namespace: "team",
      service: { type: "ClusterIP", port },
    }).spec?.ports?.map((one) => one.port);
  assert.deepEqual(portsOf(6443), [6443]);
  assert.deepEqual(portsOf(443), [443, 6443]);
});
