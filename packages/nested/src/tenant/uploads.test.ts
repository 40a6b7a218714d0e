import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createClientOver } from "@rookery/client";
import { collectBody, type Handler } from "@rookery/http";
import { type KubeObject, notFoundError } from "@rookery/kube";
import { FakeClock } from "@rookery/testing";
import { parse } from "yaml";
import { createUpload } from "./uploads.ts";

const configuration = {
  cluster: "c",
  version: "v1.34.4",
  endpoint: "api.example.dev:6443",
  serviceCidr: "10.96.0.0/12",
};
const { signal } = new AbortController();
const configMap = "kubeadm-config";
const binding = "nested:cluster-admins";

type Stored = KubeObject & { readonly data?: Readonly<Record<string, string>> };

/** A tenant that keeps objects by their names. */
function setUp() {
  const clock = new FakeClock();
  const requests: string[] = [];
  const stored = new Map<string, Stored>();
  const handler: Handler = async ({ method, path, body }) => {
    const resource = path.includes("clusterrolebindings") ? "clusterrolebindings" : "configmaps";
    requests.push(`${method} ${resource}`);
    const sent = method === "GET" ? undefined : JSON.parse(await textOf(body));
    const name = sent?.metadata?.name ?? path.split("/").at(-1) ?? "";
    if (sent) {
      const before = stored.get(name);
      const metadata = { name, ...before?.metadata, ...sent.metadata };
      stored.set(name, { ...before, ...sent, metadata });
    }
    const found = stored.get(name);
    const answer = found ?? notFoundError({ group: "", resource }, name).status;
    const headers = { "content-type": "application/json" };
    return { status: found ? 200 : 404, headers, body: Buffer.from(JSON.stringify(answer)) };
  };
  const client = createClientOver(handler);
  const upload = createUpload({ client: () => client }, clock.date);
  const uploaded = () => parse(stored.get(configMap)?.data?.ClusterConfiguration ?? "");
  return { clock, requests, stored, upload, uploaded };
}

async function textOf(body: Parameters<Handler>[0]["body"]): Promise<string> {
  return Buffer.from(await collectBody(body, { limit: 10_000 })).toString();
}

describe("kubeadm-config", () => {
  test("is made where there is none, and says what the cluster is", async () => {
    const { requests, upload, uploaded } = setUp();
    await upload("a", configuration, signal);
    assert.deepEqual(requests, ["GET configmaps", "POST clusterrolebindings", "POST configmaps"]);
    assert.equal(uploaded().kind, "ClusterConfiguration");
    assert.equal(uploaded().kubernetesVersion, "v1.34.4");
    assert.deepEqual(uploaded().networking, {
      dnsDomain: "cluster.local",
      serviceSubnet: "10.96.0.0/12",
    });
  });

  test("is not asked for again soon, and not written where it is right", async () => {
    const { clock, requests, upload } = setUp();
    await upload("a", configuration, signal);
    await upload("a", configuration, signal);
    assert.equal(requests.length, 3);
    await clock.advance(600_000);
    await upload("a", configuration, signal);
    assert.deepEqual(requests.slice(3), ["GET configmaps"]);
  });

  test("follows a change at once", async () => {
    const { requests, upload, uploaded } = setUp();
    await upload("a", configuration, signal);
    await upload("a", { ...configuration, version: "v1.35.0" }, signal);
    assert.deepEqual(requests.slice(3), ["GET configmaps", "PATCH configmaps"]);
    assert.equal(uploaded().kubernetesVersion, "v1.35.0");
  });
});

describe("the group of people", () => {
  test("is bound to cluster-admin when the tenant is new", async () => {
    const { stored, upload } = setUp();
    await upload("a", configuration, signal);
    const { roleRef, subjects } = stored.get(binding) as unknown as Record<string, unknown>;
    const apiGroup = "rbac.authorization.k8s.io";
    assert.deepEqual(roleRef, { apiGroup, kind: "ClusterRole", name: "cluster-admin" });
    assert.deepEqual(subjects, [{ apiGroup, kind: "Group", name: binding }]);
  });

  test("is bound once in a tenant from before that has its configuration already", async () => {
    const { stored, requests, upload, uploaded } = setUp();
    await upload("a", configuration, signal);
    const { data } = stored.get(configMap) ?? {};
    stored.clear();
    const metadata = { name: configMap };
    stored.set(configMap, { apiVersion: "v1", kind: "ConfigMap", metadata, ...(data && { data }) });
    requests.length = 0;
    await upload("a", { ...configuration, version: "v1.35.0" }, signal);
    assert.ok(stored.has(binding));
    assert.equal(uploaded().kubernetesVersion, "v1.35.0");
  });

  test("is never bound again by the manager where the tenant has removed the binding", async () => {
    const { clock, stored, upload } = setUp();
    await upload("a", configuration, signal);
    stored.delete(binding);
    await clock.advance(600_000);
    await upload("a", configuration, signal);
    await upload("a", { ...configuration, version: "v1.35.0" }, signal);
    assert.ok(!stored.has(binding));
  });
});
