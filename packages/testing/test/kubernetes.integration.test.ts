import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type Kubernetes, startKubernetes, waitFor } from "@rookery/testing";

const nests = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "nests.testing.rookery.dev" },
  spec: {
    group: "testing.rookery.dev",
    scope: "Namespaced",
    names: { plural: "nests", singular: "nest", kind: "Nest", listKind: "NestList" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: {
                type: "object",
                properties: {
                  eggs: { type: "integer", minimum: 0, maximum: 4 },
                  material: { type: "string", default: "twigs" },
                },
              },
            },
          },
        },
      },
    ],
  },
} as const;

const configMap = (name: string, more: object = {}) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, ...more },
  data: { eggs: "3" },
});

/** Its controllers stand still for half a minute at a time while others come and go with their kinds. */
const patience = { timeout: 180_000 };

describe("a Kubernetes for tests", () => {
  let kubernetes: Kubernetes;
  before(async () => {
    kubernetes = await startKubernetes();
  });
  after(async () => {
    await using _ = kubernetes;
    await kubernetes.kubectl(["delete", "crd", nests.metadata.name, "--ignore-not-found"]);
  });

  test("says what it is", async () => {
    const { status, body } = await kubernetes.request("GET", "/version");
    assert.equal(status, 200);
    assert.equal(body.gitVersion, kubernetes.version);
    assert.match(kubernetes.version, /^v1\.\d+\.\d+/);
  });

  test("gives namespaces that nobody else has", async () => {
    await using one = await kubernetes.createNamespace("nest");
    await using other = await kubernetes.createNamespace("nest");
    assert.match(one.name, /^nest-/);
    assert.notEqual(one.name, other.name);
  });

  test("deletes a namespace with what is in it", async () => {
    await using namespace = await kubernetes.createNamespace("nest");
    const path = `/api/v1/namespaces/${namespace.name}`;
    const body = configMap("a");
    assert.equal((await kubernetes.request("POST", `${path}/configmaps`, { body })).status, 201);
    const read = await kubernetes.request("GET", `${path}/configmaps/a`);
    assert.deepEqual(read.body.data, { eggs: "3" });

    await kubernetes.request("DELETE", path);
    await waitFor(async () => (await kubernetes.request("GET", path)).status === 404, {
      what: "the namespace to be gone",
      ...patience,
    });
    assert.equal((await kubernetes.request("GET", `${path}/configmaps/a`)).status, 404);
  });

  test("collects what an owner leaves behind", async () => {
    await using namespace = await kubernetes.createNamespace("nest");
    const path = `/api/v1/namespaces/${namespace.name}/configmaps`;
    const owner = await kubernetes.request("POST", path, { body: configMap("owner") });
    const { name, uid } = owner.body.metadata;
    const ownerReferences = [{ apiVersion: "v1", kind: "ConfigMap", name, uid }];
    await kubernetes.request("POST", path, { body: configMap("owned", { ownerReferences }) });

    await kubernetes.request("DELETE", `${path}/owner`);
    await waitFor(async () => (await kubernetes.request("GET", `${path}/owned`)).status === 404, {
      what: "what was owned to be collected",
      ...patience,
    });
  });

  test("serves a CRD: defaults, prunes, validates", async () => {
    await kubernetes.applyCrd(nests);
    await kubernetes.applyCrd(nests);
    await using namespace = await kubernetes.createNamespace("nest");
    const path = `/apis/testing.rookery.dev/v1/namespaces/${namespace.name}/nests`;
    const nest = (spec: object) => ({
      apiVersion: "testing.rookery.dev/v1",
      kind: "Nest",
      metadata: { name: "a" },
      spec,
    });
    const good = await kubernetes.request("POST", path, { body: nest({ eggs: 2, unknown: 1 }) });
    assert.equal(good.status, 201);
    assert.deepEqual(good.body.spec, { eggs: 2, material: "twigs" });

    const bad = await kubernetes.request("POST", path, { body: nest({ eggs: 5 }) });
    assert.equal(bad.status, 422);
    assert.deepEqual(
      bad.body.details.causes.map((cause: { field: string }) => cause.field),
      ["spec.eggs"],
    );

    const patched = await kubernetes.request("PATCH", `${path}/a`, { body: { spec: { eggs: 3 } } });
    assert.deepEqual(patched.body.spec, { eggs: 3, material: "twigs" });
  });

  test("refuses a user until a role is bound", async () => {
    await using namespace = await kubernetes.createNamespace("nest");
    const user = await kubernetes.user({ name: "tern", groups: ["seabirds"] });
    const path = `/api/v1/namespaces/${namespace.name}/configmaps`;
    const refused = await kubernetes.request("GET", path, { as: user });
    assert.equal(refused.status, 403);
    assert.match(refused.body.message, /User "tern" cannot list resource "configmaps"/);

    await kubernetes.kubectl([
      "create",
      "rolebinding",
      "seabirds",
      `--namespace=${namespace.name}`,
      "--clusterrole=view",
      "--group=seabirds",
    ]);
    await waitFor(
      async () => (await kubernetes.request("GET", path, { as: user })).status === 200,
      {
        what: "the role to be in force",
      },
    );
    const write = await kubernetes.request("POST", path, { as: user, body: configMap("a") });
    assert.equal(write.status, 403);
    const whoami = await kubernetes.kubectl([
      `--kubeconfig=${user.kubeconfig}`,
      "auth",
      "whoami",
      "--output=json",
    ]);
    assert.equal(JSON.parse(whoami).status.userInfo.username, "tern");
  });

  test("knows nobody who shows no certificate", async () => {
    const answer = await kubernetes.request("GET", "/api/v1/namespaces", { as: "anonymous" });
    assert.equal(answer.status, 403);
    assert.match(answer.body.message, /User "system:anonymous" cannot list/);
  });

  test("takes manifests through kubectl and tells what kubectl says", async () => {
    await using namespace = await kubernetes.createNamespace("nest");
    const apply = ["apply", `--namespace=${namespace.name}`, "--filename=-"];
    const stdin = JSON.stringify(configMap("a"));
    assert.equal(await kubernetes.kubectl(apply, { stdin }), "configmap/a created\n");
    await assert.rejects(
      kubernetes.kubectl(["get", "configmap", "b", `--namespace=${namespace.name}`]),
      /exit code 1: Error from server \(NotFound\): configmaps "b" not found/,
    );
  });

  test("takes the options of a deletion", async () => {
    await using namespace = await kubernetes.createNamespace("nest");
    const path = `/api/v1/namespaces/${namespace.name}/configmaps`;
    await kubernetes.request("POST", path, { body: configMap("a") });
    const preconditions = { uid: "00000000-0000-0000-0000-000000000000" };
    const body = { apiVersion: "v1", kind: "DeleteOptions", preconditions };
    assert.equal((await kubernetes.request("DELETE", `${path}/a`, { body })).status, 409);
    assert.equal((await kubernetes.request("GET", `${path}/a`)).status, 200);
  });

  test("tells a watcher what happens", async () => {
    await using namespace = await kubernetes.createNamespace("nest");
    const path = `/api/v1/namespaces/${namespace.name}/configmaps`;
    const { resourceVersion } = (await kubernetes.request("GET", path)).body.metadata;
    await kubernetes.request("POST", path, { body: configMap("a") });
    await kubernetes.request("PATCH", `${path}/a`, { body: { data: { eggs: "4" } } });
    await kubernetes.request("DELETE", `${path}/a`);

    const seen: string[] = [];
    for await (const event of kubernetes.watch(`${path}?resourceVersion=${resourceVersion}`)) {
      if (event.object.metadata.name !== "a") continue;
      seen.push(`${event.type} ${event.object.data.eggs}`);
      if (event.type === "DELETED") break;
    }
    assert.deepEqual(seen, ["ADDED 3", "MODIFIED 4", "DELETED 4"]);
  });
});
