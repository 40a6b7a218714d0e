import assert from "node:assert/strict";
import { test } from "node:test";
import { createTestServer } from "../../test/asking.ts";
import { greetingGroup, greetingSchema } from "../../test/greetings.ts";
import { MemoryStore } from "../../test/memory-store.ts";
import type { ServedGroup } from "../resource/served-group.ts";

const group = "greetings.testing.rookery.dev";
const aggregated = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

/** The core group with a kind that has everything. */
function coreGroup(): ServedGroup {
  const { handlers } = new MemoryStore({ group: "", resource: "waves" });
  const scale = { group: "autoscaling", version: "v1", kind: "Scale" };
  const { get, update } = handlers;
  const resource = {
    plural: "waves",
    singular: "wave",
    kind: "Wave",
    namespaced: true,
    schema: greetingSchema,
    handlers,
    subresources: {
      status: { handlers: { get, update } },
      scale: { kind: scale, handlers: { get } },
    },
  };
  return { name: "", versions: [{ name: "v1", resources: [resource] }] };
}

const { ask } = createTestServer({ groups: [coreGroup(), greetingGroup()] });

test("/api says the versions of the core group", async () => {
  const { body } = await ask("/api", { headers: { accept: "application/json", host: "a:6443" } });
  assert.deepEqual(body, {
    kind: "APIVersions",
    versions: ["v1"],
    serverAddressByClientCIDRs: [{ clientCIDR: "0.0.0.0/0", serverAddress: "a:6443" }],
  });
});

test("/apis and a group say the versions of groups, the preferred one first", async () => {
  const version = { groupVersion: `${group}/v1`, version: "v1" };
  const described = { name: group, versions: [version], preferredVersion: version };
  assert.deepEqual((await ask("/apis")).body.groups, [described]);
  for (const path of [`/apis/${group}`, `/apis/${group}/`]) {
    assert.deepEqual((await ask(path)).body, { kind: "APIGroup", apiVersion: "v1", ...described });
  }
});

test("a version says its resources, with their verbs", async () => {
  const { body } = await ask(`/apis/${group}/v1`);
  assert.deepEqual(body.resources, [
    {
      name: "greetings",
      singularName: "greeting",
      namespaced: false,
      kind: "Greeting",
      verbs: ["create", "list"],
      shortNames: ["grt"],
      categories: ["all"],
    },
  ]);
});

test("subresources are listed beside their resource", async () => {
  const { body } = await ask("/api/v1");
  assert.equal(body.groupVersion, "v1");
  const [wave, ...parts] = body.resources;
  assert.deepEqual(wave.verbs, [
    ...["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
  ]);
  const common = { singularName: "", namespaced: true };
  assert.deepEqual(parts, [
    { name: "waves/status", ...common, kind: "Wave", verbs: ["get", "patch", "update"] },
    {
      name: "waves/scale",
      ...common,
      group: "autoscaling",
      version: "v1",
      kind: "Scale",
      verbs: ["get"],
    },
  ]);
});

test("all of discovery comes in one document", async () => {
  const { body, headers } = await ask("/apis", { headers: { accept: aggregated } });
  assert.equal(headers["content-type"], aggregated);
  assert.equal(headers.vary, "Accept");
  assert.equal(body.apiVersion, "apidiscovery.k8s.io/v2");
  assert.deepEqual(body.items, [
    {
      metadata: { name: group },
      versions: [
        {
          version: "v1",
          resources: [
            {
              resource: "greetings",
              responseKind: { group, version: "v1", kind: "Greeting" },
              scope: "Cluster",
              singularResource: "greeting",
              verbs: ["create", "list"],
              shortNames: ["grt"],
              categories: ["all"],
            },
          ],
          freshness: "Current",
        },
      ],
    },
  ]);
});

test("the core group's document lies under /api, with subresources", async () => {
  const { body } = await ask("/api", { headers: { accept: aggregated.replace("v2", "v2beta1") } });
  assert.equal(body.apiVersion, "apidiscovery.k8s.io/v2beta1");
  const [{ resources }] = body.items[0].versions;
  assert.deepEqual(resources[0].subresources[1], {
    subresource: "scale",
    responseKind: { group: "autoscaling", version: "v1", kind: "Scale" },
    verbs: ["get"],
  });
});

test("who has the document is told that nothing has changed", async () => {
  const first = await ask("/apis", { headers: { accept: aggregated } });
  const etag = String(first.headers.etag);
  assert.match(etag, /^"[0-9A-F]{128}"$/);
  const second = await ask("/apis", { headers: { accept: aggregated, "if-none-match": etag } });
  assert.equal(second.status, 304);
  assert.equal(second.text, "");
  const other = createTestServer({ groups: [greetingGroup("other.example.com")] });
  const third = await other.ask("/apis", {
    headers: { accept: aggregated, "if-none-match": etag },
  });
  assert.equal(third.status, 200);
});

test("who asks for it and takes less gets less", async () => {
  const accept = `${aggregated.replace("v2", "v9")},application/json`;
  assert.equal((await ask("/apis", { headers: { accept } })).body.kind, "APIGroupList");
});

test("discovery is only read", async () => {
  assert.equal((await ask("/apis", { method: "POST" })).status, 405);
  assert.equal((await ask("/apis", { headers: { accept: "text/html" } })).status, 406);
});

test("/version says what it behaves like, / what there is", async () => {
  assert.equal((await ask("/version")).body.gitVersion, "v1.34.4");
  const { paths } = (await ask("/")).body;
  assert.ok(paths.includes(`/apis/${group}/v1`) && paths.includes("/readyz"), String(paths));
});

test("a kind may say in which version it is stored, other verbs, and warn of itself", async () => {
  const [{ versions = [] } = {}] = [coreGroup()];
  const [wave] = versions[0]?.resources ?? [];
  assert.ok(wave);
  const storageKind = { group: "", version: "v1", kind: "ConfigMap" };
  const resource = { ...wave, storageKind, discoveredVerbs: ["get"], warnings: ["old waves"] };
  const server = createTestServer({
    groups: [{ name: "", versions: [{ name: "v1", resources: [resource] }] }],
  });
  const { body } = await server.ask("/api/v1");
  assert.equal(body.resources[0].storageVersionHash, "qFsyl6wFWjQ=");
  assert.deepEqual(body.resources[0].verbs, ["get"]);
  const { headers } = await server.ask("/api/v1/namespaces/a/waves");
  assert.deepEqual(headers.warning, ['299 - "old waves"']);
});
