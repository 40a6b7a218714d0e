import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Cluster } from "@rookery/api";
import type { ObjectKey } from "@rookery/kube";
import { silentLogger } from "@rookery/runtime";
import {
  type HostileAnswer,
  type HostileServer,
  startHostileServer,
  startSilentServer,
} from "@rookery/testing";
import { type ConnectionScope, WorkloadClusters } from "../../src/remote/workload-clusters.ts";

const { signal } = new AbortController();
const key: ObjectKey = { namespace: "team", name: "a" };
const initialization = { infrastructureProvisioned: true };
const cluster = { metadata: key, status: { initialization } } as Cluster;

function kubeconfigFor({ server, ca }: HostileServer): string {
  const authority = ca && { "certificate-authority-data": Buffer.from(ca).toString("base64") };
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": "c",
    contexts: [{ name: "c", context: { cluster: "c", user: "u" } }],
    clusters: [{ name: "c", cluster: { server: `https://${server}`, ...(authority || {}) } }],
    users: [{ name: "u", user: { token: "t" } }],
  });
}

function scopeFor(server: HostileServer, signal: AbortSignal): ConnectionScope {
  return {
    signal,
    getCluster: async () => cluster,
    secretVersion: () => "1",
    kubeconfig: async () => kubeconfigFor(server),
  };
}

async function failuresOf(server: HostileServer): Promise<number> {
  await using clusters = new WorkloadClusters({
    onChange: () => {},
    onNode: () => {},
    logger: silentLogger,
  });
  await clusters.reconcile(key, scopeFor(server, signal));
  return clusters.state(key).failures;
}

const answers: readonly HostileAnswer[] = [
  "never answers",
  "drips its headers",
  "sends headers without end",
];

describe("a workload cluster whose kubeconfig leads to a server", () => {
  for (const answer of answers) {
    it(`that ${answer} holds a worker of the core`, async () => {
      await using server = await startHostileServer(answer);
      assert.equal(await failuresOf(server), 1);
    });
  }

  it("that never finishes TLS holds a worker of the core", async () => {
    await using server = await startSilentServer();
    assert.equal(await failuresOf(server), 1);
  });

  it("that drips what it is asked first holds a worker of the core", async () => {
    await using server = await startHostileServer("drips its answer");
    // Any answer is one, and its rest is cut off.
    assert.equal(await failuresOf(server), 0);
  });

  it("that drips is waited for although the process ends", async () => {
    await using server = await startHostileServer("never answers");
    await using clusters = new WorkloadClusters({
      onChange: () => {},
      onNode: () => {},
      logger: silentLogger,
    });
    const stop = AbortSignal.abort(new Error("the process ends"));
    await clusters.reconcile(key, scopeFor(server, stop));
    assert.equal(server.count, 0);
  });
});
