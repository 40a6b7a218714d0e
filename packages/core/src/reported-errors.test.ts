import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Cluster, ClusterResourceSet } from "@rookery/api";
import { createClientOver } from "@rookery/client";
import { type Condition, forbiddenError, type KubeObject } from "@rookery/kube";
import {
  type Cache,
  createReconcileContext,
  type FailedReconcile,
  silentLogger,
} from "@rookery/runtime";
import { clusterLifecycle } from "./cluster/reconcile.ts";
import { NotConnectedError, ReportedError } from "./errors.ts";
import { machineLifecycle } from "./machine/reconcile.ts";
import type { WorkloadClusters } from "./remote/workload-clusters.ts";
import { resourceSetLifecycle } from "./resource-set/reconcile.ts";
import { resourceSetScope } from "./resource-set/scope.ts";
import { resourceSets } from "./resources.ts";

const clock = () => new Date("2026-01-01T00:00:00Z");
const { signal } = new AbortController();
const failure = (error: unknown): FailedReconcile => ({
  request: { namespace: "ns", name: "a" },
  error,
  attempt: 9,
  signal,
});

interface Conditioned extends KubeObject {
  readonly status?: { readonly conditions?: readonly Condition[] };
}

/** What is written of an object whose reconcile failed. */
function committing() {
  const written: Conditioned[] = [];
  const metadata = { namespace: "ns", name: "a", generation: 2 };
  const object = { apiVersion: "v1", kind: "Any", metadata, spec: {} };
  const get = async () => object as never;
  const commit = async (_: unknown, desired: unknown) => {
    written.push(desired as Conditioned);
    return desired as never;
  };
  return { get, commit, written };
}

type Report = (
  failed: FailedReconcile,
  world: ReturnType<typeof committing>,
) => Promise<void> | undefined;

const kinds: Record<string, [type: string, status: string, Report]> = {
  Cluster: [
    "Available",
    "Unknown",
    (failed, { get, commit }) =>
      clusterLifecycle.reportError?.(failed, { get, commit, clock } as never),
  ],
  Machine: [
    "Ready",
    "Unknown",
    (failed, { get, commit }) =>
      machineLifecycle.reportError?.(failed, { get, commit, clock } as never),
  ],
  ClusterResourceSet: [
    "ResourcesApplied",
    "False",
    (failed, { get, commit }) =>
      resourceSetLifecycle.reportError?.(failed, { get, commit, clock } as never),
  ],
};

const errors: Record<string, [error: unknown, reason: string]> = {
  "a refusal of the API server": [
    forbiddenError({ group: "", resource: "secrets" }, "x", "no right"),
    "Forbidden",
  ],
  "an error that nobody has foreseen": [new TypeError("x is undefined"), "InternalError"],
  "a cluster that is not connected": [new NotConnectedError("a"), "InternalError"],
};

describe("an error of a reconcile", () => {
  for (const [kind, [type, status, report]] of Object.entries(kinds)) {
    for (const [what, [error, reason]] of Object.entries(errors)) {
      it(`becomes a condition of a ${kind}: ${what}`, async () => {
        const world = committing();
        await report(failure(error), world);
        const [found] = world.written[0]?.status?.conditions ?? [];
        assert.deepEqual([found?.type, found?.status, found?.reason], [type, status, reason]);
        assert.equal(found?.observedGeneration, 2);
      });
    }

    it(`that a ${kind} says already leaves its conditions as they are`, async () => {
      const world = committing();
      await report(failure(new ReportedError([new Error("told")])), world);
      assert.deepEqual(world.written, []);
    });
  }
});

describe("a reconcile of a ClusterResourceSet that is given up", () => {
  const cluster = {
    apiVersion: "cluster.x-k8s.io/v1beta2",
    kind: "Cluster",
    spec: {},
    metadata: { namespace: "ns", name: "c", labels: { addons: "yes" } },
  } as unknown as Cluster;
  const set = {
    apiVersion: "addons.cluster.x-k8s.io/v1beta2",
    kind: "ClusterResourceSet",
    metadata: { namespace: "ns", name: "a", uid: "u", finalizers: ["addons.cluster.x-k8s.io"] },
    spec: {
      clusterSelector: { matchLabels: { addons: "yes" } },
      resources: [{ kind: "ConfigMap", name: "one" }],
    },
  } as unknown as ClusterResourceSet;
  const manifest = JSON.stringify({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "x", namespace: "default" },
  });
  const answers: Record<string, object> = {
    "/api/v1/namespaces/ns/configmaps/one": {
      apiVersion: "v1",
      kind: "ConfigMap",
      data: { a: manifest },
      metadata: { namespace: "ns", name: "one", ownerReferences: [{ uid: "u", kind: set.kind }] },
    },
    "/apis/addons.cluster.x-k8s.io/v1beta2/namespaces/ns/clusterresourcesetbindings/c": {
      kind: "ClusterResourceSetBinding",
      spec: { clusterName: "c" },
      metadata: { namespace: "ns", name: "c" },
    },
    "/api": { kind: "APIVersions", versions: ["v1"] },
    "/apis": { kind: "APIGroupList", groups: [] },
    "/api/v1": {
      kind: "APIResourceList",
      resources: [{ name: "configmaps", kind: "ConfigMap", namespaced: true, verbs: ["create"] }],
    },
  };
  const client = createClientOver(({ path, method, signal: asked }) => {
    asked.throwIfAborted();
    const body = answers[path] ?? (method === "GET" ? undefined : set);
    const status = body === undefined ? 404 : 200;
    const headers = { "content-type": "application/json" };
    return { status, headers, body: Buffer.from(JSON.stringify(body ?? { kind: "Status" })) };
  });

  it("ends what it asks of the cluster that it applies to, and asks nothing more", async () => {
    const asked: string[] = [];
    const stop = new AbortController();
    const workload = createClientOver(async ({ method, path, signal: given }) => {
      if (method === "GET") return client.handler({ ...requestTo(path), signal: given });
      asked.push(`${method} ${path}`);
      const ended = Promise.withResolvers<never>();
      given.addEventListener("abort", () => ended.reject(given.reason));
      setImmediate(() => stop.abort(new Error("given up")));
      return ended.promise;
    });
    const cache = {
      get: async () => set,
      list: async () => [cluster, { ...cluster, metadata: { ...cluster.metadata, name: "d" } }],
    } as unknown as Cache;
    const workloadClusters = { client: () => workload } as unknown as WorkloadClusters;
    const attempt = { request: { namespace: "ns", name: "a" }, signal: stop.signal };
    const parts = { client, cache, logger: silentLogger, workloadClusters, clock };
    const context = createReconcileContext<ClusterResourceSet>(resourceSets, parts, {
      ...attempt,
      logger: silentLogger,
    });
    await assert.rejects(
      resourceSetLifecycle.reconcile(attempt.request, resourceSetScope(context, parts)),
      /given up/,
    );
    assert.deepEqual(asked, ["POST /api/v1/namespaces/default/configmaps"]);
  });

  const requestTo = (path: string) =>
    ({ method: "GET", query: "", headers: {}, path }) as Parameters<typeof client.handler>[0];
});
