import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type KubeObject, statusError } from "@rookery/kube";
import { createTestRegistry, servedWidget, widgetOptions } from "../../test/registry/registry.ts";

const group = "testing.rookery.dev";
const at = (version: string) => `/apis/${group}/${version}/namespaces/default/widgets`;

/** Two versions that call the size otherwise, and how often they were converted. */
async function createVersions() {
  const calls: number[] = [];
  let failure: string | undefined;
  const convert = async (objects: readonly KubeObject[], apiVersion: string) => {
    calls.push(objects.length);
    if (failure) throw statusError({ code: 500, reason: "", message: failure });
    return objects.map((object) => ({
      ...object,
      apiVersion,
      spec: convertSpec(object, apiVersion),
    }));
  };
  const registry = await createTestRegistry({
    groups: (store, clock) => {
      const served = (version: string) => ({
        name: version,
        resources: [
          servedWidget(
            widgetOptions({ store, now: clock.date, apiVersion: `${group}/${version}`, convert }),
          ),
        ],
      });
      return [{ name: group, versions: [served("v1"), served("v2")] }];
    },
  });
  const fail = (message: string) => {
    failure = message;
  };
  return { registry, calls, fail };
}

function convertSpec({ spec }: KubeObject, apiVersion: string): object {
  const { size, length } = spec as { size?: number; length?: number };
  return apiVersion.endsWith("v2") ? { length: size } : { size: length };
}

function widget(version: string, name: string, spec: object) {
  return { body: { apiVersion: `${group}/${version}`, kind: "Widget", metadata: { name }, spec } };
}

describe("a kind in several versions", () => {
  it("is stored in one and shown in each", async () => {
    const { registry } = await createVersions();
    const { ask, store } = registry;
    const created = await ask(at("v2"), widget("v2", "a", { length: 3 }));
    assert.deepEqual([created.status, created.body.spec], [201, { length: 3 }]);
    assert.equal(created.body.apiVersion, `${group}/v2`);
    const key = { resource: `widgets.${group}`, namespace: "default", name: "a" };
    assert.deepEqual(store.get(key)?.object.spec, { size: 3 });
    assert.deepEqual((await ask(`${at("v1")}/a`)).body.spec, { size: 3 });
    const changed = await ask(`${at("v2")}/a`, {
      method: "PATCH",
      headers: { "content-type": "application/merge-patch+json" },
      body: { spec: { length: 4 } },
    });
    assert.deepEqual(changed.body.spec, { length: 4 });
    assert.equal(changed.body.metadata.generation, 2);
    const listed = (await ask(at("v1"))).body.items[0];
    assert.deepEqual([listed.apiVersion, listed.spec], [`${group}/v1`, { size: 4 }]);
    const gone = await ask(`${at("v2")}/a`, { method: "DELETE" });
    assert.equal(gone.body.status, "Success");
  });

  it("is converted once for all who read it, many at a time", async () => {
    const { registry, calls } = await createVersions();
    const { ask } = registry;
    for (const name of ["a", "b", "c"]) await ask(at("v1"), widget("v1", name, { size: 1 }));
    calls.length = 0;
    await ask(at("v2"));
    assert.deepEqual(calls, [3]);
    await ask(at("v2"));
    await ask(`${at("v2")}/a`);
    assert.deepEqual(calls, [3]);
    await ask(at("v1"), widget("v1", "d", { size: 1 }));
    await ask(at("v2"));
    assert.deepEqual(calls, [3, 1]);
  });

  it("is watched in those alone that all objects can be shown in", async () => {
    const { registry, fail } = await createVersions();
    const { ask } = registry;
    await ask(at("v1"), widget("v1", "a", { size: 3 }));
    fail("no webhook");
    const watched = (version: string) => ask(`${at(version)}?watch=1&timeoutSeconds=1`);
    const { status, body } = await watched("v2");
    assert.deepEqual(
      [status, body.reason, body.message, body.details],
      [429, "TooManyRequests", "storage is (re)initializing: no webhook", { retryAfterSeconds: 1 }],
    );
    const own = await registry.watch(`${at("v1")}?watch=1`);
    assert.deepEqual([own.status, own.told.length], [200, 1]);
    own.stop();
    await own.ended;
  });

  it("is converted there and back in a dry run, too, and not kept", async () => {
    const { registry, calls } = await createVersions();
    const dry = await registry.ask(`${at("v2")}?dryRun=All`, widget("v2", "a", { length: 3 }));
    assert.deepEqual([dry.status, dry.body.spec], [201, { length: 3 }]);
    assert.deepEqual(calls, [1, 1]);
    assert.equal((await registry.ask(`${at("v2")}/a`)).status, 404);
  });

  it("is watched in each, in the order in which it changed", async () => {
    const { registry } = await createVersions();
    const { ask, store } = registry;
    const from = store.revision;
    const watch = await registry.watch(`${at("v2")}?watch=1&resourceVersion=${from}`);
    for (const name of ["a", "b"]) await ask(at("v1"), widget("v1", name, { size: 1 }));
    await ask(`${at("v1")}/a`, { method: "DELETE" });
    while (watch.told.length < 3) await new Promise(setImmediate);
    assert.deepEqual(watch.told, [
      `ADDED a@${from + 1}`,
      `ADDED b@${from + 2}`,
      `DELETED a@${from + 3}`,
    ]);
    assert.deepEqual(
      watch.events.map(({ object }) => object.spec),
      [{ length: 1 }, { length: 1 }, { length: 1 }],
    );
    watch.stop();
    await watch.ended;
  });

  it("is written anew in the version in which it is stored, though nothing changes", async () => {
    const { registry } = await createVersions();
    const { ask, store } = registry;
    const key = { resource: `widgets.${group}`, namespace: "default", name: "old" };
    const metadata = { name: "old", namespace: "default", uid: "u" };
    const old = { apiVersion: `${group}/v2`, kind: "Widget", metadata, spec: { length: 3 } };
    await store.write({ ...key, expected: 0, object: old });
    const shown = (await ask(`${at("v1")}/old`)).body;
    assert.deepEqual(shown.spec, { size: 3 });
    const same = await ask(`${at("v1")}/old`, { method: "PUT", body: shown });
    assert.equal(same.status, 200);
    assert.equal(store.get(key)?.object.apiVersion, `${group}/v1`);
    const revision = store.revision;
    await ask(`${at("v1")}/old`, { method: "PUT", body: same.body });
    assert.equal(store.revision, revision);
  });
});
