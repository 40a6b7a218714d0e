import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createTestRegistry } from "../../test/registry/registry.ts";

const configMaps = "/api/v1/namespaces/default/configmaps";
const pods = "/api/v1/namespaces/default/pods";
const namespaces = "/api/v1/namespaces";

function options(more: object) {
  return { method: "DELETE", body: { apiVersion: "v1", kind: "DeleteOptions", ...more } };
}

describe("a deletion", () => {
  it("is refused where the object is not the one that was meant", async () => {
    await using registry = await createTestRegistry();
    const { ask } = registry;
    const { body } = await ask(configMaps, { body: { metadata: { name: "a" } } });
    const { uid, resourceVersion } = body.metadata;
    const other = await ask(`${configMaps}/a`, options({ preconditions: { uid: "x" } }));
    assert.deepEqual(
      [other.status, other.body.message],
      [
        409,
        `Operation cannot be fulfilled on ConfigMap "a": the UID in the precondition (x) does not match the UID in record (${uid}). The object might have been deleted and then recreated`,
      ],
    );
    const stale = await ask(
      `${configMaps}/a`,
      options({ preconditions: { resourceVersion: "1" } }),
    );
    assert.equal(
      stale.body.message,
      `Operation cannot be fulfilled on ConfigMap "a": the ResourceVersion in the precondition (1) does not match the ResourceVersion in record (${resourceVersion}). The object might have been modified`,
    );
    const meant = await ask(
      `${configMaps}/a`,
      options({ preconditions: { uid, resourceVersion } }),
    );
    assert.equal(meant.body.status, "Success");
    assert.equal((await ask(`${configMaps}/a`, { method: "DELETE" })).status, 404);
  });

  it("waits for finalizers, and says the same when it is asked for again", async () => {
    await using registry = await createTestRegistry();
    const { ask, clock } = registry;
    const finalizers = ["example.com/hold"];
    await ask(configMaps, { body: { metadata: { name: "a", finalizers } } });
    const first = await ask(`${configMaps}/a`, options({ orphanDependents: false }));
    assert.equal(first.status, 202);
    assert.equal(first.body.metadata.deletionTimestamp, "2026-01-01T00:00:00Z");
    assert.equal(first.body.metadata.deletionGracePeriodSeconds, 0);
    await clock.advance(5_000);
    const again = await ask(`${configMaps}/a`, { method: "DELETE" });
    assert.deepEqual([again.status, again.body], [200, first.body]);
  });

  it("gives time to what has it, and takes it when it is told to", async () => {
    await using registry = await createTestRegistry();
    const { ask, store } = registry;
    await ask(pods, { body: { metadata: { name: "a" }, spec: {} } });
    const from = store.revision;
    const going = await ask(`${pods}/a`, { method: "DELETE" });
    assert.equal(going.status, 200);
    assert.equal(going.body.metadata.deletionTimestamp, "2026-01-01T00:00:30Z");
    assert.equal(going.body.metadata.generation, 2);
    const again = await ask(`${pods}/a`, { method: "DELETE" });
    assert.deepEqual(again.body, going.body);
    const forced = await ask(`${pods}/a`, options({ gracePeriodSeconds: 0 }));
    assert.equal(forced.body.kind, "Pod");
    assert.equal((await ask(`${pods}/a`)).status, 404);
    const watch = await registry.watch(`${pods}?watch=1&resourceVersion=${from}`);
    const types = watch.events.map(({ type }) => type);
    assert.deepEqual(types, ["MODIFIED", "MODIFIED", "DELETED"]);
    watch.stop();
    await watch.ended;
  });

  it("is only shown in a dry run", async () => {
    await using registry = await createTestRegistry();
    const { ask, store } = registry;
    await ask(configMaps, { body: { metadata: { name: "a" } } });
    await ask(pods, { body: { metadata: { name: "a" }, spec: {} } });
    const before = store.revision;
    const gone = await ask(`${configMaps}/a?dryRun=All`, { method: "DELETE" });
    assert.equal(gone.body.status, "Success");
    const marked = await ask(
      `${configMaps}/a?dryRun=All`,
      options({ dryRun: ["All"], propagationPolicy: "Foreground" }),
    );
    assert.deepEqual(marked.body.metadata.finalizers, ["foregroundDeletion"]);
    const pod = await ask(`${pods}/a`, options({ dryRun: ["All"], gracePeriodSeconds: 0 }));
    assert.equal(pod.body.metadata.deletionGracePeriodSeconds, 0);
    assert.equal((await ask(`${configMaps}?dryRun=All`, { method: "DELETE" })).status, 200);
    assert.equal(store.revision, before);
  });

  it("of many takes what a selector takes, and answers with it", async () => {
    await using registry = await createTestRegistry();
    const { ask } = registry;
    for (const [name, many] of [
      ["a", "yes"],
      ["b", "no"],
      ["c", "yes"],
    ]) {
      await ask(configMaps, { body: { metadata: { name, labels: { many } } } });
    }
    const gone = await ask(`${configMaps}?labelSelector=many%3Dyes`, { method: "DELETE" });
    const names = gone.body.items.map(
      ({ metadata }: { metadata: { name: string } }) => metadata.name,
    );
    assert.deepEqual([gone.body.kind, names], ["ConfigMapList", ["a", "c"]]);
    const left = await ask(configMaps);
    assert.equal(left.body.items.length, 1);
  });
});

describe("a namespace that is deleted", () => {
  it("is Terminating until it is finalized", async () => {
    await using registry = await createTestRegistry();
    const { ask } = registry;
    const created = await ask(namespaces, { body: { metadata: { name: "n" } } });
    assert.deepEqual(created.body.spec, { finalizers: ["kubernetes"] });
    const { uid } = created.body.metadata;
    const other = await ask(`${namespaces}/n`, options({ preconditions: { uid: "x" } }));
    assert.equal(
      other.body.message,
      `Operation cannot be fulfilled on namespaces "n": Precondition failed: UID in precondition: x, UID in object meta: ${uid}`,
    );
    const going = await ask(`${namespaces}/n`, { method: "DELETE" });
    assert.equal(going.status, 200);
    assert.deepEqual(going.body.status, { phase: "Terminating" });
    assert.equal(going.body.metadata.deletionTimestamp, "2026-01-01T00:00:00Z");
    assert.equal(going.body.metadata.deletionGracePeriodSeconds, undefined);
    const again = await ask(`${namespaces}/n`, { method: "DELETE" });
    assert.deepEqual(again.body, going.body);
    const finalized = await ask(`${namespaces}/n/finalize`, {
      method: "PUT",
      body: { ...going.body, spec: {}, status: { phase: "Other" } },
    });
    assert.deepEqual([finalized.status, finalized.body.status], [200, { phase: "Terminating" }]);
    assert.equal((await ask(`${namespaces}/n`)).status, 404);
  });

  it("stays when it is finalized before it is deleted, and goes then", async () => {
    await using registry = await createTestRegistry();
    const { ask } = registry;
    const { body } = await ask(namespaces, { body: { metadata: { name: "n" } } });
    const bad = { ...body, spec: { finalizers: ["nobody"] } };
    const refused = await ask(`${namespaces}/n/finalize`, { method: "PUT", body: bad });
    assert.match(
      refused.body.message,
      /spec.finalizers\[0\]: Invalid value: "nobody": name is neither/,
    );
    await ask(`${namespaces}/n/finalize`, { method: "PUT", body: { ...body, spec: {} } });
    assert.equal((await ask(`${namespaces}/n`)).status, 200);
    assert.equal((await ask(`${namespaces}/n`, { method: "DELETE" })).status, 200);
    const last = await ask(`${namespaces}/n`, { method: "DELETE" });
    assert.equal(last.status, 200);
    assert.equal((await ask(`${namespaces}/n`)).status, 404);
  });

  it("waits for what depends on it in the foreground", async () => {
    await using registry = await createTestRegistry();
    const { ask } = registry;
    await ask(namespaces, { body: { metadata: { name: "n" } } });
    const going = await ask(`${namespaces}/n`, options({ orphanDependents: false }));
    assert.equal(going.status, 202);
    assert.deepEqual(going.body.metadata.finalizers, ["foregroundDeletion"]);
  });
});
