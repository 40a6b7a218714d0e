import assert from "node:assert/strict";
import { test } from "node:test";
import { hostsFile } from "./hosts.ts";
import type { Pod, Service } from "./pod.ts";

const selector = { app: "etcd" };
const pod = (index: number, ready: boolean): Pod => ({
  metadata: { name: `etcd-${index}`, namespace: "team", labels: selector },
  spec: { containers: [], hostname: `etcd-${index}`, subdomain: "etcd" },
  status: {
    podIP: `127.1.1.${index}`,
    ...{ conditions: [{ type: "Ready", status: ready ? "True" : "False" }] },
  },
});
const service = (spec: Partial<Service["spec"]>): Service => ({
  metadata: { name: "etcd", namespace: "team" },
  spec: { selector, ...spec },
});
const pods = [pod(0, true), pod(1, false)];

test("a headless Service has the addresses of its ready pods, and their names below its own", () => {
  const services = [service({ clusterIP: "None" })];
  const text = hostsFile("team", { services, pods, addressOf: () => undefined });
  assert.equal(
    text,
    [
      "127.0.0.1 localhost",
      "127.1.1.0 etcd.team.svc etcd.team.svc.cluster.local etcd.team etcd",
      "127.1.1.0 etcd-0.etcd.team.svc etcd-0.etcd.team.svc.cluster.local etcd-0.etcd.team etcd-0.etcd",
      "",
    ].join("\n"),
  );
});

test("a Service that publishes pods that are not ready has them, too", () => {
  const services = [service({ clusterIP: "None", publishNotReadyAddresses: true })];
  const text = hostsFile("other", { services, pods, addressOf: () => undefined });
  assert.match(text, /^127\.1\.1\.1 etcd-1\.etcd\.team\.svc .* etcd-1\.etcd\.team$/m);
});

test("a Service with an address of its own is that address", () => {
  const services = [service({})];
  const text = hostsFile("other", { services, pods, addressOf: () => "127.9.9.9" });
  assert.equal(
    text,
    "127.0.0.1 localhost\n127.9.9.9 etcd.team.svc etcd.team.svc.cluster.local etcd.team\n",
  );
});

test("a pod that is ending is behind no Service any more", () => {
  const ending = {
    ...pod(0, true),
    metadata: { ...pod(0, true).metadata, deletionTimestamp: "x" },
  };
  const services = [service({ clusterIP: "None" })];
  const text = hostsFile("team", { services, pods: [ending], addressOf: () => undefined });
  assert.equal(text, "127.0.0.1 localhost\n");
});
