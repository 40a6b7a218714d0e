import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createTestRegistry, type TestRegistry } from "../../test/registry/registry.ts";

const configMaps = "/api/v1/namespaces/default/configmaps";
const pods = "/api/v1/namespaces/default/pods";
const widgets = "/apis/testing.rookery.dev/v1/namespaces/default/widgets";
const widget = { apiVersion: "testing.rookery.dev/v1", kind: "Widget" };

function put({ ask }: TestRegistry, path: string, body: unknown) {
  return ask(path, { method: "PUT", body });
}

function merge({ ask }: TestRegistry, path: string, body: unknown) {
  const headers = { "content-type": "application/merge-patch+json" };
  return ask(path, { method: "PATCH", headers, body });
}

describe("a change", () => {
  it("of nothing writes nothing", async () => {
    await using registry = await createTestRegistry();
    const created = await registry.ask(configMaps, {
      body: { metadata: { name: "a" }, data: { x: "1" } },
    });
    const same = await put(registry, `${configMaps}/a`, created.body);
    assert.deepEqual(same.body, created.body);
    const { resourceVersion: _, ...metadata } = created.body.metadata;
    const unconditional = await put(registry, `${configMaps}/a`, { ...created.body, metadata });
    assert.deepEqual(unconditional.body, created.body);
    assert.deepEqual((await merge(registry, `${configMaps}/a`, {})).body, created.body);
  });

  it("of an old version is a conflict, and one without a version is none", async () => {
    await using registry = await createTestRegistry();
    const { body: old } = await registry.ask(configMaps, { body: { metadata: { name: "a" } } });
    await merge(registry, `${configMaps}/a`, { data: { x: "1" } });
    const stale = await put(registry, `${configMaps}/a`, { ...old, data: { x: "2" } });
    assert.deepEqual(
      [stale.status, stale.body.message],
      [
        409,
        'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
      ],
    );
    const blind = await put(registry, `${configMaps}/a`, { metadata: { name: "a" } });
    assert.equal(blind.status, 200);
    assert.equal(blind.body.data, undefined);
  });

  it("of a custom kind has to say a version", async () => {
    await using registry = await createTestRegistry();
    await registry.ask(widgets, { body: { ...widget, metadata: { name: "a" } } });
    const blind = await put(registry, `${widgets}/a`, { ...widget, metadata: { name: "a" } });
    assert.deepEqual(
      [blind.status, blind.body.message],
      [
        422,
        'widgets.testing.rookery.dev "a" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
      ],
    );
  });

  it("meant for another object of the name is a conflict", async () => {
    await using registry = await createTestRegistry();
    const { body } = await registry.ask(configMaps, { body: { metadata: { name: "a" } } });
    const other = { ...body, metadata: { ...body.metadata, uid: "x" } };
    const refused = await put(registry, `${configMaps}/a`, other);
    assert.deepEqual(
      [refused.status, refused.body.message],
      [
        409,
        `Operation cannot be fulfilled on configmaps "a": StorageError: invalid object, Code: 4, Key: /registry/configmaps/default/a, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: x, UID in object meta: ${body.metadata.uid}`,
      ],
    );
    const patched = await merge(registry, `${configMaps}/a`, { metadata: { uid: "x" } });
    assert.equal(patched.status, 422);
    assert.match(patched.body.message, /metadata.uid: Invalid value: "x": field is immutable/);
  });

  it("keeps what only a server says", async () => {
    await using registry = await createTestRegistry();
    const { body } = await registry.ask(pods, { body: { metadata: { name: "a" }, spec: {} } });
    const metadata = { generation: 70, creationTimestamp: "2001-01-01T00:00:00Z" };
    const same = await merge(registry, `${pods}/a`, { metadata });
    assert.deepEqual(same.body, body);
  });

  it("counts generations of what is wanted alone", async () => {
    await using registry = await createTestRegistry();
    await registry.ask(pods, { body: { metadata: { name: "a" }, spec: {} } });
    const wanted = await merge(registry, `${pods}/a`, { spec: { x: 1 }, status: { y: 1 } });
    assert.equal(wanted.body.metadata.generation, 2);
    assert.deepEqual(wanted.body.status, {});
    const labelled = await merge(registry, `${pods}/a`, { metadata: { labels: { x: "y" } } });
    assert.equal(labelled.body.metadata.generation, 2);
    const status = await merge(registry, `${pods}/a/status`, { spec: { x: 2 }, status: { y: 1 } });
    assert.deepEqual(status.body.spec, { x: 1 });
    assert.deepEqual(status.body.status, { y: 1 });
    assert.equal(status.body.metadata.generation, 2);
  });

  it("of a status changes nothing else", async () => {
    await using registry = await createTestRegistry();
    await registry.ask(widgets, {
      body: { ...widget, metadata: { name: "a" }, spec: { x: 1 }, status: { y: 0 } },
    });
    const changed = await merge(registry, `${widgets}/a/status`, {
      metadata: { labels: { x: "y" } },
      spec: { x: 2 },
      status: { y: 1 },
    });
    assert.equal(changed.body.metadata.labels, undefined);
    assert.deepEqual([changed.body.spec, changed.body.status], [{ x: 1 }, { y: 1 }]);
    const main = await merge(registry, `${widgets}/a`, { spec: { x: 3 }, status: { y: 2 } });
    assert.deepEqual([main.body.spec, main.body.status], [{ x: 3 }, { y: 1 }]);
    assert.equal(main.body.metadata.generation, 2);
  });

  it("is only shown in a dry run", async () => {
    await using registry = await createTestRegistry();
    const { body } = await registry.ask(configMaps, { body: { metadata: { name: "a" } } });
    const tried = await merge(registry, `${configMaps}/a?dryRun=All`, { data: { x: "1" } });
    assert.deepEqual(tried.body, { ...body, data: { x: "1" } });
    assert.deepEqual((await registry.ask(`${configMaps}/a`)).body, body);
  });

  it("by many at a time loses none", async () => {
    await using registry = await createTestRegistry();
    await registry.ask(configMaps, { body: { metadata: { name: "a" } } });
    const keys = Array.from({ length: 20 }, (_, index) => `key${index}`);
    const changes = keys.map((key) => merge(registry, `${configMaps}/a`, { data: { [key]: "x" } }));
    for (const { status } of await Promise.all(changes)) assert.equal(status, 200);
    const { body } = await registry.ask(`${configMaps}/a`);
    assert.deepEqual(Object.keys(body.data).sort(), keys.toSorted());
  });

  it("that takes off the last finalizer of what goes ends it", async () => {
    await using registry = await createTestRegistry();
    const { ask } = registry;
    const finalizers = ["example.com/hold"];
    await ask(configMaps, { body: { metadata: { name: "a", finalizers } } });
    await ask(`${configMaps}/a`, { method: "DELETE" });
    const more = { metadata: { finalizers: [...finalizers, "example.com/more"] } };
    const refused = await merge(registry, `${configMaps}/a`, more);
    assert.match(
      refused.body.message,
      /no new finalizers can be added if the object is being deleted, found new finalizers \[\]string\{"example.com\/more"\}/,
    );
    const tried = await merge(registry, `${configMaps}/a?dryRun=All`, {
      metadata: { finalizers: null },
    });
    assert.equal(tried.status, 200);
    assert.equal((await ask(`${configMaps}/a`)).status, 200);
    const gone = await merge(registry, `${configMaps}/a`, { metadata: { finalizers: null } });
    assert.equal(gone.status, 200);
    assert.equal(gone.body.metadata.finalizers, undefined);
    assert.equal((await ask(`${configMaps}/a`)).status, 404);
  });
});
