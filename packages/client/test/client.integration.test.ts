import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  type Client,
  createClient,
  createDiscovery,
  isInitialEventsEnd,
  loadConfig,
  type ResourceClient,
  type WatchEvent,
} from "@rookery/client";
import {
  findStatusCause,
  findStatusError,
  isAlreadyExists,
  isConflict,
  isInvalid,
  isNotFound,
  type KubeObject,
  parseLabelSelector,
  type Resource,
} from "@rookery/kube";
import { type Kubernetes, startKubernetes, type TestNamespace, waitFor } from "@rookery/testing";
import { type ConfigMap, configMap, configMaps, deployments, namespaces } from "./resources.ts";

interface Nest extends KubeObject<{ readonly eggs?: number }, { readonly phase?: string }> {}

const nests: Resource = {
  group: "client.testing.rookery.dev",
  version: "v1",
  kind: "Nest",
  plural: "nests",
  singular: "nest",
  namespaced: true,
};

const nestsCrd = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `nests.${nests.group}` },
  spec: {
    group: nests.group,
    scope: "Namespaced",
    names: { plural: "nests", singular: "nest", kind: "Nest", shortNames: ["nst"] },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: { type: "object", properties: { eggs: { type: "integer", maximum: 4 } } },
              status: { type: "object", properties: { phase: { type: "string" } } },
            },
          },
        },
      },
    ],
  },
} as const;

describe("the client on a real API server", () => {
  let kubernetes: Kubernetes;
  let client: Client;
  let namespace: TestNamespace;
  let maps: ResourceClient<ConfigMap>;
  const warnings: string[] = [];
  const metadata = (name: string, more: object = {}) => ({
    name,
    namespace: namespace.name,
    ...more,
  });
  const keyOf = (name: string) => ({ namespace: namespace.name, name });

  before(async () => {
    kubernetes = await startKubernetes();
    const config = await loadConfig({ path: kubernetes.kubeconfig });
    client = createClient(config, { onWarning: (text) => warnings.push(text) });
    namespace = await kubernetes.createNamespace("client");
    maps = client.resource<ConfigMap>(configMaps);
  });
  after(async () => {
    await kubernetes.request(
      "DELETE",
      `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${nestsCrd.metadata.name}`,
    );
    await namespace[Symbol.asyncDispose]();
    await client.destroy();
    await kubernetes[Symbol.asyncDispose]();
  });

  test("says which version it is", async () => {
    assert.equal((await client.version()).gitVersion, kubernetes.version);
  });

  test("sends a raw request", async () => {
    assert.equal((await client.raw({ path: "/readyz" })).status, 200);
  });

  test("creates, gets, updates, patches and deletes an object", async () => {
    const created = await maps.create(configMap(metadata("life")));
    assert.equal(created.kind, "ConfigMap");
    assert.deepEqual(await maps.get(keyOf("life")), created);
    await assert.rejects(maps.create(configMap(metadata("life"))), isAlreadyExists);

    const updated = await maps.update({ ...created, data: { eggs: "4" } });
    assert.deepEqual(updated.data, { eggs: "4" });
    const merged = await maps.patch(keyOf("life"), { type: "merge", patch: { data: { a: "1" } } });
    assert.deepEqual(merged.data, { a: "1", eggs: "4" });
    const stepped = await maps.patch(keyOf("life"), {
      type: "json",
      patch: [
        { op: "test", path: "/data/a", value: "1" },
        { op: "remove", path: "/data/a" },
      ],
    });
    assert.deepEqual(stepped.data, { eggs: "4" });
    const strategic = { metadata: { labels: { a: "b" } } };
    const labelled = await maps.patch(keyOf("life"), { type: "strategic", patch: strategic });
    assert.deepEqual(labelled.metadata.labels, { a: "b" });

    const deleted = await maps.delete(keyOf("life"));
    assert.equal(deleted.kind, "Status");
    await assert.rejects(maps.get(keyOf("life")), isNotFound);
  });

  test("names what is created by a prefix", async () => {
    const meta = { generateName: "some-", namespace: namespace.name };
    assert.match((await maps.create(configMap(meta))).metadata.name ?? "", /^some-\w+$/);
  });

  test("refuses to overwrite what somebody else has changed", async () => {
    const created = await maps.create(configMap(metadata("contested")));
    await maps.update({ ...created, data: { eggs: "1" } });
    await assert.rejects(maps.update({ ...created, data: { eggs: "2" } }), isConflict);
    const preconditions = { resourceVersion: created.metadata.resourceVersion ?? "" };
    await assert.rejects(maps.delete(keyOf("contested"), { preconditions }), isConflict);
    await assert.rejects(
      maps.delete(keyOf("contested"), { preconditions: { uid: "other" } }),
      isConflict,
    );
  });

  test("stores nothing in a dry run", async () => {
    const created = await maps.create(configMap(metadata("dry")), { dryRun: true });
    assert.notEqual(created.metadata.uid, undefined);
    await assert.rejects(maps.get(keyOf("dry")), isNotFound);
    await maps.create(configMap(metadata("dry")));
    await maps.delete(keyOf("dry"), { dryRun: true });
    await maps.get(keyOf("dry"));
  });

  test("applies on the server's side, and conflicts with another manager", async () => {
    const ours = { fieldManager: "ours" };
    const applied = await maps.apply(configMap(metadata("applied")), ours);
    assert.deepEqual(
      applied.metadata.managedFields?.map(({ manager }) => manager),
      ["ours"],
    );
    const theirs = configMap(metadata("applied"), { eggs: "5", twigs: "9" });
    await assert.rejects(maps.apply(theirs, { fieldManager: "theirs" }), (error) => {
      assert(isConflict(error));
      const cause = findStatusCause(error, "FieldManagerConflict");
      assert.equal(cause?.field, ".data.eggs");
      return true;
    });
    const forced = await maps.apply(theirs, { fieldManager: "theirs", force: true });
    assert.deepEqual(forced.data, { eggs: "5", twigs: "9" });
  });

  test("passes on what the server warns of, and refuses it where asked to be strict", async () => {
    const odd = { ...configMap(metadata("odd")), nonsense: 1 };
    await maps.create(odd, { fieldValidation: "Warn", dryRun: true });
    await maps.create(odd, { fieldValidation: "Warn", dryRun: true });
    assert.deepEqual(warnings, ['unknown field "nonsense"']);
    await assert.rejects(
      maps.create(odd, { fieldValidation: "Strict" }),
      /strict decoding error: unknown field "nonsense"/,
    );
  });

  test("keeps the field manager of a write", async () => {
    const created = await maps.create(configMap(metadata("managed")), { fieldManager: "tern" });
    assert.deepEqual(
      created.metadata.managedFields?.map(({ manager }) => manager),
      ["tern"],
    );
    const unnamed = await maps.create(configMap(metadata("unnamed")));
    assert.deepEqual(
      unnamed.metadata.managedFields?.map(({ manager }) => manager),
      ["rookery"],
    );
  });

  test("selects by labels and by fields", async () => {
    for (const name of ["red", "green", "blue"]) {
      await maps.create(configMap(metadata(name, { labels: { colour: name } })));
    }
    const names = async (selection: object) => {
      const { items } = await maps.list({ namespace: namespace.name, ...selection });
      return items.map(({ metadata: { name } }) => name);
    };
    assert.deepEqual(await names({ labelSelector: "colour in (red,blue)" }), ["blue", "red"]);
    const labelSelector = parseLabelSelector("colour,colour!=red");
    assert.deepEqual(await names({ labelSelector }), ["blue", "green"]);
    assert.deepEqual(await names({ fieldSelector: "metadata.name=red" }), ["red"]);
    const { items } = await maps.list({
      labelSelector: "colour=red",
      fieldSelector: `metadata.namespace!=${namespace.name}`,
    });
    assert.deepEqual(items, []);
    await maps.deleteCollection({ namespace: namespace.name, labelSelector: "colour!=red,colour" });
    assert.deepEqual(await names({ labelSelector: "colour" }), ["red"]);
  });

  test("lists 1,200 objects in pages of 500, of one state", async () => {
    await using many = await kubernetes.createNamespace("many");
    const names = Array.from({ length: 1_200 }, (_, i) => `c-${`${i}`.padStart(4, "0")}`);
    let next = 0;
    const work = async () => {
      for (let i = next++; i < names.length; i = next++) {
        await maps.create(configMap({ name: names[i] ?? "", namespace: many.name }, {}));
      }
    };
    await Promise.all(Array.from({ length: 16 }, work));

    const sizes: number[] = [];
    const versions = new Set<string | undefined>();
    const labelSelector = "!kubernetes.io/description";
    await maps.listPages({ namespace: many.name, limit: 500, labelSelector }, ({ list }) => {
      sizes.push(list.items.length);
      versions.add(list.metadata.resourceVersion);
    });
    assert.deepEqual(sizes.slice(0, 2), [500, 500]);
    assert.equal(sizes.length, 3);
    assert.equal(versions.size, 1);

    const all = await maps.listAll({ namespace: many.name, limit: 500 });
    const seen = all.items.map(({ metadata: { name } }) => name ?? "");
    assert.deepEqual(
      seen.filter((name) => name.startsWith("c-")),
      names,
    );
    assert(all.items.every(({ kind, apiVersion }) => kind === "ConfigMap" && apiVersion === "v1"));
    const first = await maps.list({ namespace: many.name, limit: 500 });
    assert(first.metadata.continue);
    assert(first.metadata.remainingItemCount);
  });

  test("lists what the server has in its cache", async () => {
    const fresh = await maps.list({ namespace: namespace.name });
    const cached = await maps.list({
      namespace: namespace.name,
      resourceVersion: fresh.metadata.resourceVersion ?? "",
      resourceVersionMatch: "NotOlderThan",
    });
    assert.equal(cached.items.length, fresh.items.length);
  });

  test("reaches cluster-scoped objects, and refuses what does not fit before it is sent", async () => {
    const found = await client.resource(namespaces).get({ name: namespace.name });
    assert.equal(found.metadata.name, namespace.name);
    await assert.rejects(client.resource(namespaces).get(keyOf("x")), /cluster-scoped/);
    await assert.rejects(maps.get({ name: "x" }), /namespaced; name a namespace/);
  });

  test("scales, and deletes what depends on an object last", async () => {
    const template = {
      metadata: { labels: { a: "b" } },
      spec: { containers: [{ name: "c", image: "i" }] },
    };
    const spec = { replicas: 2, selector: { matchLabels: { a: "b" } }, template };
    const all = client.resource(deployments);
    await all.create({ apiVersion: "apps/v1", kind: "Deployment", metadata: metadata("d"), spec });
    const scale = await all.scale.get(keyOf("d"));
    assert.equal(scale.kind, "Scale");
    assert.equal(scale.spec?.replicas, 2);
    // The controller of Deployments writes too: a conflict with it is none of ours.
    const scaled = await waitFor(
      async () => all.scale.update({ ...(await all.scale.get(keyOf("d"))), spec: { replicas: 5 } }),
      { what: "an update between those of the controller" },
    );
    assert.equal(scaled.spec?.replicas, 5);
    const patch = { type: "merge", patch: { spec: { replicas: 1 } } } as const;
    assert.equal((await all.scale.patch(keyOf("d"), patch)).spec?.replicas, 1);

    const deleted = await all.delete(keyOf("d"), { propagationPolicy: "Foreground" });
    assert.equal(deleted.kind, "Deployment");
    assert.deepEqual((deleted as KubeObject).metadata.finalizers, ["foregroundDeletion"]);
  });

  test("writes the status of a custom resource by itself, and finds its kind", async () => {
    await assert.rejects(
      client.kind({ apiVersion: `${nests.group}/v1`, kind: "Nest" }),
      /could not find kind "Nest" in version "client\.testing\.rookery\.dev\/v1": no matches/,
    );
    await kubernetes.applyCrd(nestsCrd);
    const all = await waitFor(
      () => client.kind<Nest>({ apiVersion: `${nests.group}/v1`, kind: "Nest" }),
      { what: "the mapper to know the kind" },
    );
    assert.deepEqual(all.resource.subresources, ["status"]);
    assert.equal((await client.mapper.resourceFor("nst")).kind, "Nest");

    const nest: Nest = { apiVersion: `${nests.group}/v1`, kind: "Nest", metadata: metadata("n") };
    const created = await all.create({ ...nest, spec: { eggs: 1 }, status: { phase: "lost" } });
    assert.equal(created.status, undefined);
    const phased = await all.status.update({
      ...created,
      spec: { eggs: 2 },
      status: { phase: "a" },
    });
    assert.deepEqual([phased.spec, phased.status], [{ eggs: 1 }, { phase: "a" }]);
    const applied = await all.status.apply(
      { ...nest, status: { phase: "b" } },
      { fieldManager: "m", force: true },
    );
    assert.deepEqual(applied.status, { phase: "b" });
    assert.equal((await all.status.get(keyOf("n"))).status?.phase, "b");

    await assert.rejects(
      all.create({ ...nest, metadata: metadata("x"), spec: { eggs: 5 } }),
      (error) => {
        assert(isInvalid(error));
        assert.equal(findStatusError(error)?.status.details?.causes?.[0]?.field, "spec.eggs");
        return true;
      },
    );
  });

  test("discovers the same in one piece and group by group", async () => {
    // Other tests may come and go with theirs.
    const builtIn = ({ group }: Resource) => !group.includes(".") || group.endsWith(".k8s.io");
    const sorted = (resources: readonly Resource[]) =>
      resources
        .filter(builtIn)
        .map((resource) => JSON.stringify(resource, Object.keys(resource).sort()))
        .sort();
    const aggregated = await client.discovery.discover();
    const legacy = await createDiscovery(client.handler, { legacy: true }).discover();
    assert.deepEqual(sorted(aggregated.resources), sorted(legacy.resources));
    assert(sorted(aggregated.resources).length > 30);
    assert.equal(aggregated.groups[0]?.name, "");
  });

  test("discovers by what has changed", async () => {
    const statuses: unknown[] = [];
    const config = await loadConfig({ path: kubernetes.kubeconfig });
    await using own = createClient(config, { trace: ({ status }) => statuses.push(status) });
    await waitFor(
      async () => {
        await own.discovery.discover();
        return statuses.slice(-2).every((status) => status === 304);
      },
      { what: "nothing to have changed" },
    );
    assert.deepEqual(statuses.slice(0, 2), [200, 200]);
    assert((await own.discovery.discover()).resources.length > 30);
  });

  for (const allowH2 of [false, true]) {
    describe(`watches by ${allowH2 ? "HTTP/2" : "HTTP/1.1"}`, () => {
      let watched: TestNamespace;
      let watcher: Client;
      let watchedMaps: ResourceClient<ConfigMap>;
      before(async () => {
        const config = await loadConfig({ path: kubernetes.kubeconfig });
        watcher = createClient(config, { allowH2 });
        watchedMaps = watcher.resource<ConfigMap>(configMaps);
        watched = await kubernetes.createNamespace("watched");
      });
      after(async () => {
        await watched[Symbol.asyncDispose]();
        await watcher.destroy();
      });
      const own = (name: string) => configMap({ name, namespace: watched.name });
      const show = ({ type, object }: WatchEvent) => `${type} ${object.metadata.name}`;
      const fieldSelector = "metadata.name!=kube-root-ca.crt";

      test("what happens from a state on, without a gap", async () => {
        const { metadata: state } = await watchedMaps.list({
          namespace: watched.name,
          fieldSelector,
        });
        await watchedMaps.create(own("a"));
        const controller = new AbortController();
        const { signal } = controller;
        const seen: string[] = [];
        const watch = watchedMaps.watch(
          {
            namespace: watched.name,
            fieldSelector,
            resourceVersion: state.resourceVersion ?? "",
            signal,
          },
          async (event) => {
            seen.push(show(event));
            // A slow reader misses nothing.
            await new Promise(setImmediate);
            if (event.type === "DELETED") controller.abort(new Error("enough"));
          },
        );
        const done = assert.rejects(watch, /enough/);
        await watchedMaps.patch(
          { namespace: watched.name, name: "a" },
          {
            type: "merge",
            patch: { data: { eggs: "4" } },
          },
        );
        await watchedMaps.delete({ namespace: watched.name, name: "a" });
        await done;
        assert.deepEqual(seen, ["ADDED a", "MODIFIED a", "DELETED a"]);
      });

      test("all that is there first, where asked to (WatchList)", async () => {
        await watchedMaps.create(own("x"));
        await watchedMaps.create(own("y"));
        const controller = new AbortController();
        const seen: string[] = [];
        const watch = watchedMaps.watch(
          {
            namespace: watched.name,
            fieldSelector,
            sendInitialEvents: true,
            signal: controller.signal,
          },
          (event) => {
            seen.push(isInitialEventsEnd(event) ? "end" : show(event));
            if (isInitialEventsEnd(event)) controller.abort(new Error("enough"));
          },
        );
        await assert.rejects(watch, /enough/);
        assert.deepEqual(seen.slice(0, -1).sort(), ["ADDED x", "ADDED y"]);
        assert.equal(seen.at(-1), "end");
      });

      test("until the server ends it", async () => {
        let opened = 0;
        const { metadata: state } = await watchedMaps.list({ namespace: watched.name });
        const options = {
          namespace: watched.name,
          fieldSelector,
          resourceVersion: state.resourceVersion ?? "",
          timeoutSeconds: 2,
          onOpen: () => {
            opened += 1;
          },
        };
        // The server may send a bookmark before the end, but does not promise it.
        await watchedMaps.watch(options, ({ type }) => assert.equal(type, "BOOKMARK"));
        assert.equal(opened, 1);
      });

      test("nothing more when it is given up, and leaves the connection usable", async () => {
        for (let i = 0; i < 20; i++) {
          const controller = new AbortController();
          const onOpen = () => controller.abort(new Error("given up"));
          const options = { namespace: watched.name, signal: controller.signal, onOpen };
          await assert.rejects(
            watchedMaps.watch(options, () => assert.fail("an event came")),
            /given up/,
          );
        }
        await watchedMaps.list({ namespace: watched.name });
      });
    });
  }
});
