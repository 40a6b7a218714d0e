import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createClientOver } from "@rookery/client";
import { collectBody, type Handler } from "@rookery/http";
import { notFoundError } from "@rookery/kube";
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

/** A tenant that keeps one ConfigMap. */
function setUp() {
  const clock = new FakeClock();
  const requests: string[] = [];
  let stored: { data?: Record<string, string> } | undefined;
  const handler: Handler = async ({ method, body }) => {
    requests.push(method);
    if (method !== "GET") {
      const { data } = JSON.parse(
        Buffer.from(await collectBody(body, { limit: 10_000 })).toString(),
      );
      stored = { ...stored, data };
    }
    const missing = notFoundError({ group: "", resource: "configmaps" }, "kubeadm-config").status;
    const answer = stored ?? missing;
    const headers = { "content-type": "application/json" };
    return { status: stored ? 200 : 404, headers, body: Buffer.from(JSON.stringify(answer)) };
  };
  const client = createClientOver(handler);
  const upload = createUpload({ client: () => client }, clock.date);
  const uploaded = () => parse(stored?.data?.ClusterConfiguration ?? "");
  return { clock, requests, upload, uploaded };
}

describe("kubeadm-config", () => {
  test("is made where there is none, and says what the cluster is", async () => {
    const { requests, upload, uploaded } = setUp();
    await upload("a", configuration, signal);
    assert.deepEqual(requests, ["GET", "POST"]);
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
    assert.equal(requests.length, 2);
    await clock.advance(600_000);
    await upload("a", configuration, signal);
    assert.deepEqual(requests.slice(2), ["GET"]);
  });

  test("follows a change at once", async () => {
    const { requests, upload, uploaded } = setUp();
    await upload("a", configuration, signal);
    await upload("a", { ...configuration, version: "v1.35.0" }, signal);
    assert.deepEqual(requests.slice(2), ["GET", "PATCH"]);
    assert.equal(uploaded().kubernetesVersion, "v1.35.0");
  });
});
