import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createDiscovery, type ResourceClient, type WatchEvent } from "@rookery/client";
import { collectBody, type HttpHeaders } from "@rookery/http";
import { isConflict, isInvalid, isNotFound, type KubeObject } from "@rookery/kube";
import {
  type Kubernetes,
  notOnEmbedded,
  startKubernetes,
  type TestNamespace,
  waitFor,
} from "@rookery/testing";
import {
  type Clients,
  configMaps,
  connect,
  customResourceDefinitions,
  type Nest,
  nest,
  nestsCrd,
  nestsOf,
} from "./nests.ts";

const virtual = "client.rename.example.com";
const real = "client.team1.example.org";

const needsProtobuf = await notOnEmbedded("it answers in JSON alone");

describe("a client with renamed groups on a real API server", () => {
  let kubernetes: Kubernetes;
  let clients: Clients;
  let namespace: TestNamespace;
  /** The app's view, and what is really there. */
  let nests: ResourceClient<Nest>;
  let realNests: ResourceClient<Nest>;
  const keyOf = (name: string) => ({ namespace: namespace.name, name });
  const metadata = (name: string, more: object = {}) => ({ ...keyOf(name), ...more });
  const json = async (path: string, headers: HttpHeaders = {}, query = "") => {
    const response = await clients.renamed.raw({ path, headers, query });
    const body = await collectBody(response.body, { limit: 64 * 1024 * 1024 });
    return {
      response,
      text: Buffer.from(body).toString(),
      value: () => JSON.parse(`${Buffer.from(body)}`),
    };
  };

  before(async () => {
    kubernetes = await startKubernetes();
    clients = await connect(kubernetes, { virtual, real });
    namespace = await kubernetes.createNamespace("group-suffix");
    nests = clients.renamed.resource<Nest>(nestsOf(virtual));
    realNests = clients.plain.resource<Nest>(nestsOf(real));
    await clients.renamed.resource(customResourceDefinitions).create(nestsCrd(virtual));
    await kubernetes.applyCrd(nestsCrd(virtual));
    const served = () => nests.list({ namespace: namespace.name }).then(() => true);
    await waitFor(served, { what: "the renamed nests to be served" });
  });
  after(async () => {
    for (const suffix of [virtual, real]) {
      const { name } = nestsCrd(suffix).metadata;
      await kubernetes.request(
        "DELETE",
        `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}`,
      );
    }
    await namespace[Symbol.asyncDispose]();
    await clients[Symbol.asyncDispose]();
    await kubernetes[Symbol.asyncDispose]();
  });

  test("creates, gets, lists, updates, patches, applies, scales and deletes", async () => {
    const created = await nests.create(nest(virtual, metadata("life")));
    assert.equal(created.apiVersion, `zoo.${virtual}/v1`);
    assert.equal((await realNests.get(keyOf("life"))).apiVersion, `zoo.${real}/v1`);
    const list = await nests.list({ namespace: namespace.name });
    assert.deepEqual(
      [list.apiVersion, list.items[0]?.apiVersion],
      [`zoo.${virtual}/v1`, `zoo.${virtual}/v1`],
    );
    const updated = await nests.update({ ...created, spec: { eggs: 2 } });
    assert.equal(updated.spec?.eggs, 2);
    assert.equal(updated.metadata.managedFields?.[0]?.apiVersion, `zoo.${virtual}/v1`);

    const merge = { apiVersion: `zoo.${virtual}/v1`, spec: { eggs: 3 } };
    assert.equal((await nests.patch(keyOf("life"), { type: "merge", patch: merge })).spec?.eggs, 3);
    const steps = [
      { op: "test", path: "/apiVersion", value: `zoo.${virtual}/v1` },
      { op: "replace", path: "/spec/eggs", value: 4 },
    ] as const;
    assert.equal((await nests.patch(keyOf("life"), { type: "json", patch: steps })).spec?.eggs, 4);
    const applied = await nests.apply(nest(virtual, metadata("life"), 5), {
      fieldManager: "test",
      force: true,
    });
    assert.equal(applied.spec?.eggs, 5);

    const scale = await nests.scale.get(keyOf("life"));
    assert.equal(scale.spec?.replicas, 5);
    await nests.scale.update({ ...scale, spec: { replicas: 6 } });
    assert.equal((await nests.get(keyOf("life"))).spec?.eggs, 6);
    await nests.delete(keyOf("life"));
    await assert.rejects(realNests.get(keyOf("life")), isNotFound);
  });

  test("patches what Kubernetes owns strategically, with owners of the renamed group", async () => {
    const owner = await nests.create(nest(virtual, metadata("owner")));
    const maps = clients.renamed.resource(configMaps);
    await maps.create({ apiVersion: "v1", kind: "ConfigMap", metadata: metadata("owned") });
    const reference = {
      apiVersion: `zoo.${virtual}/v1`,
      kind: "Nest",
      name: "owner",
      uid: owner.metadata.uid,
    };
    const patch = { metadata: { ownerReferences: [reference] } };
    const patched = await maps.patch(keyOf("owned"), { type: "strategic", patch });
    assert.equal(patched.metadata.ownerReferences?.[0]?.apiVersion, `zoo.${virtual}/v1`);
    const stored = await clients.plain.resource(configMaps).get(keyOf("owned"));
    assert.equal(stored.metadata.ownerReferences?.[0]?.apiVersion, `zoo.${real}/v1`);
  });

  test("never turns a foreign owner into an own one by writing back what it read", async () => {
    const others = clients.plain.resource<Nest>(nestsOf(virtual));
    const owner = await others.create(nest(virtual, metadata("of-the-default-instance")));
    const foreign = {
      apiVersion: `zoo.${virtual}/v1`,
      kind: "Nest",
      name: "of-the-default-instance",
      uid: owner.metadata.uid ?? "",
    };
    const plainMaps = clients.plain.resource(configMaps);
    const object = {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: metadata("foreign", { ownerReferences: [foreign] }),
    };
    await plainMaps.create(object);
    const maps = clients.renamed.resource(configMaps);
    const read = await maps.get(keyOf("foreign"));
    assert.equal(read.metadata.ownerReferences?.[0]?.apiVersion, `zoo.${real}/v1`);
    await maps.update({ ...read, metadata: { ...read.metadata, labels: { a: "b" } } });
    const { metadata: written } = await plainMaps.get(keyOf("foreign"));
    assert.deepEqual(written.labels, { a: "b" });
    assert.deepEqual(written.ownerReferences, [foreign]);
  });

  test("watches only its own objects, deletes of all of them too", async () => {
    const { metadata: at } = await nests.list({ namespace: namespace.name });
    const events: WatchEvent<Nest>[] = [];
    const stop = new AbortController();
    const options = {
      namespace: namespace.name,
      resourceVersion: at.resourceVersion ?? "",
      signal: stop.signal,
    };
    const watching = nests.watch(options, (event) => {
      events.push(event);
    });
    const default_ = clients.plain.resource<Nest>(nestsOf(virtual));
    await default_.create(nest(virtual, metadata("of-the-other", { labels: { watched: "yes" } })));
    await nests.create(nest(virtual, metadata("watched", { labels: { watched: "yes" } })));
    await nests.deleteCollection({ namespace: namespace.name, labelSelector: "watched=yes" });
    const deleted = () => events.some(({ type }) => type === "DELETED");
    await waitFor(deleted, { what: "the object to be deleted" });
    stop.abort();
    await watching.catch(() => {});
    assert.deepEqual(
      new Set(events.map(({ object }) => object.metadata.name)),
      new Set(["watched"]),
    );
    assert.ok(events.every(({ object }) => object.apiVersion === `zoo.${virtual}/v1`));
    assert.ok(await default_.get(keyOf("of-the-other")));
    const seen = await nests.list({ namespace: namespace.name, labelSelector: "watched=yes" });
    assert.deepEqual(seen.items, []);
  });

  test("gets errors that speak of the app's groups", async () => {
    const isOfGroup = (group: string) => (error: unknown) => {
      const { status } = error as { status: { message: string; details: { group: string } } };
      assert.equal(status.details.group, group);
      assert.doesNotMatch(status.message, new RegExp(real));
      return true;
    };
    await assert.rejects(nests.get(keyOf("none")), isOfGroup(`zoo.${virtual}`));
    await assert.rejects(nests.get(keyOf("none")), isNotFound);
    await assert.rejects(nests.create(nest(virtual, metadata("full"), 101)), isInvalid);
    await nests.apply(nest(virtual, metadata("contested"), 1), { fieldManager: "one" });
    const second = nests.apply(nest(virtual, metadata("contested"), 2), { fieldManager: "two" });
    await assert.rejects(second, (error) => {
      assert.ok(isConflict(error));
      assert.doesNotMatch(String(error), new RegExp(real));
      return true;
    });
  });

  test("is told that the real group is not there", async () => {
    const hidden = clients.renamed.resource<Nest>(nestsOf(real));
    await assert.rejects(hidden.list({ namespace: namespace.name }), isNotFound);
    await assert.rejects(hidden.create(nest(real, metadata("hidden"))), isNotFound);
    const definitions = clients.renamed.resource(customResourceDefinitions);
    await assert.rejects(definitions.delete({ name: `nests.zoo.${real}` }), isNotFound);
    assert.equal(
      (await definitions.get({ name: `nests.zoo.${virtual}` })).metadata.name,
      `nests.zoo.${virtual}`,
    );
  });

  for (const legacy of [false, true]) {
    test(`finds its kinds by ${legacy ? "legacy" : "aggregated"} discovery`, async () => {
      const discovery = createDiscovery(clients.renamed.handler, { legacy });
      // It follows what is served.
      const ofThisTest = await waitFor(
        async () => {
          const { resources } = await discovery.discover();
          const found = resources.filter(({ kind }) => kind === "Nest").map(({ group }) => group);
          const own = found.filter((group) => [virtual, real].some((it) => group.endsWith(it)));
          return own.length > 0 && own;
        },
        { what: "nests to be discovered" },
      );
      assert.deepEqual(ofThisTest, [`zoo.${virtual}`]);
    });
  }

  test("keeps discovery by a tag that is not the server's", async () => {
    const accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
    // Another test may bring kinds along between the two requests.
    const etag = await waitFor(
      async () => {
        const first = await json("/apis", { accept });
        const tag = `${first.response.headers.etag}`;
        const again = await json("/apis", { accept, "if-none-match": tag });
        return again.response.status === 304 && tag;
      },
      { what: "discovery to be the same twice" },
    );
    const plain = await kubernetes.request("GET", "/apis", { headers: { accept } });
    assert.notEqual(plain.headers.etag, etag);
    const stale = await json("/apis", { accept, "if-none-match": `${plain.headers.etag}` });
    assert.equal(stale.response.status, 200);
  });

  test("reads OpenAPI version 2 and 3 in its own words", async () => {
    const model = `${`zoo.${virtual}`.split(".").reverse().join(".")}.v1.Nest`;
    // The address of a document changes with it.
    const served = async () => {
      const { paths } = (await json("/openapi/v3")).value();
      const { serverRelativeURL } = paths[`apis/zoo.${virtual}/v1`] as {
        serverRelativeURL: string;
      };
      const [path = "", query = ""] = serverRelativeURL.split("?");
      const document = await json(path, {}, query);
      return document.response.status === 200 && document;
    };
    const { text, value } = await waitFor(served, { what: "the document" });
    assert.ok(value().components.schemas[model]);
    assert.ok(value().paths[`/apis/zoo.${virtual}/v1/namespaces/{namespace}/nests`]);
    assert.doesNotMatch(text, new RegExp(`apis/zoo\\.${real}`));
    const inVersion2 = async () => (await json("/openapi/v2")).value().definitions[model];
    await waitFor<unknown>(inVersion2, { what: "the definition" });
  });

  test("reads Tables, partial metadata and YAML", async () => {
    const path = `/apis/zoo.${virtual}/v1/namespaces/${namespace.name}/nests`;
    await nests.create(nest(virtual, metadata("shown")));
    const table = await json(path, { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" });
    assert.equal(table.value().kind, "Table");
    assert.doesNotMatch(table.text, new RegExp(real));
    const partial = await json(path, {
      accept: "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",
    });
    assert.equal(
      partial.value().items[0].metadata.managedFields[0].apiVersion,
      `zoo.${virtual}/v1`,
    );
    const yaml = await json(path, { accept: "application/yaml" });
    assert.match(yaml.text, new RegExp(`^apiVersion: zoo.${virtual}/v1`));
    assert.doesNotMatch(yaml.text, new RegExp(real));
    const definitions = await json(
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
      {
        accept: "application/json;as=Table;v=v1;g=meta.k8s.io",
      },
      `fieldSelector=metadata.name%3Dnests.zoo.${virtual}`,
    );
    const [row] = definitions.value().rows;
    assert.deepEqual(
      [row.cells[0], row.object.metadata.name],
      Array(2).fill(`nests.zoo.${virtual}`),
    );
  });

  test("reads partial metadata of custom resources as Protobuf", {
    skip: needsProtobuf,
  }, async () => {
    const path = `/apis/zoo.${virtual}/v1/namespaces/${namespace.name}/nests`;
    const accept =
      "application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";
    const { text, response } = await json(path, { accept });
    assert.match(`${response.headers["content-type"]}`, /protobuf/);
    assert.match(text, new RegExp(`zoo.${virtual}/v1`));
    assert.doesNotMatch(text, new RegExp(real));
  });

  test("asks what it may do, and gives rights, in its own words", async () => {
    const review = {
      apiVersion: "authorization.k8s.io/v1",
      kind: "SelfSubjectAccessReview",
      metadata: {},
      spec: { resourceAttributes: { group: `zoo.${virtual}`, resource: "nests", verb: "get" } },
    };
    const reviews = await clients.renamed.kind<KubeObject>(review);
    const answered = await reviews.create(review);
    assert.deepEqual(answered.spec, review.spec);
    const role = {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "Role",
      metadata: metadata("reader"),
      rules: [{ apiGroups: [`zoo.${virtual}`], resources: ["nests"], verbs: ["get"] }],
    };
    const roles = await clients.renamed.kind<typeof role>(role);
    assert.deepEqual((await roles.create(role)).rules, role.rules);
    const plainRoles = await clients.plain.kind<typeof role>(role);
    assert.deepEqual((await plainRoles.get(keyOf("reader"))).rules[0]?.apiGroups, [`zoo.${real}`]);
  });
});
