import assert from "node:assert/strict";
import { test } from "node:test";
import type { Cluster } from "@rookery/api";
import { silentLogger } from "@rookery/runtime";
import { type ConnectionScope, WorkloadClusters } from "./workload-clusters.ts";

const { signal } = new AbortController();
const key = { namespace: "team", name: "a" };

test("a cluster that did not answer is asked again when its control plane says that it does", async () => {
  let asked = 0;
  let initialization: NonNullable<Cluster["status"]>["initialization"] = {
    infrastructureProvisioned: true,
  };
  await using clusters = new WorkloadClusters({
    onChange: () => {},
    onNode: () => {},
    logger: silentLogger,
  });
  const scope: ConnectionScope = {
    signal,
    getCluster: async () => ({ metadata: key, status: { initialization } }) as Cluster,
    secretVersion: () => "1",
    kubeconfig: async () => {
      asked += 1;
      throw new Error("nobody answers");
    },
  };
  await clusters.reconcile(key, scope);
  await clusters.reconcile(key, scope);
  assert.equal(asked, 1);
  initialization = { ...initialization, controlPlaneInitialized: true };
  await clusters.reconcile(key, scope);
  await clusters.reconcile(key, scope);
  assert.equal(asked, 2);
});
