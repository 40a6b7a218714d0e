import assert from "node:assert/strict";
import { test } from "node:test";
import type { NestedControllerManager } from "@rookery/api";
import { isFalse } from "@rookery/kube";
import { ComponentWorld, cluster, namespace } from "../../test/component/component-world.ts";
import { componentLifecycle } from "./lifecycle.ts";
import type { ComponentScope } from "./scope.ts";

const kind = "NestedControllerManager";
type Scope = ComponentScope<NestedControllerManager>;

const lifecycle = componentLifecycle<NestedControllerManager, Scope>({
  finalizer: "finalizer",
  component: "controller-manager",
  resources: [],
  provision: async (component, _, { commit }) => {
    const status = { ...component.status, failedRevision: "failed" };
    await commit(component, { ...component, status });
    const waiting = isFalse("WaitingForCertificates", "a Secret is missing");
    return { ready: waiting, upToDate: waiting };
  },
});

test("the report of a reconcile keeps what a step has written to the status", async () => {
  const world = new ComponentWorld();
  world.controlPlane();
  const owner = { apiVersion: "v1", kind: "NestedControlPlane", name: cluster, uid: "plane" };
  world.put<NestedControllerManager>({
    apiVersion: "controlplane.cluster.x-k8s.io/v1alpha4",
    kind,
    metadata: { namespace, name: cluster, ownerReferences: [owner] },
    spec: { replicas: 1 },
  });
  await lifecycle.reconcile({ namespace, name: cluster }, world.scope(kind));
  const { status } = world.get<NestedControllerManager>(kind, cluster);
  assert.equal(status?.failedRevision, "failed");
  assert.equal(status?.phase, "Pending");
});
