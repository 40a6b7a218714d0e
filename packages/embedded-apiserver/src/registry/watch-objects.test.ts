import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { settled, waitFor } from "@rookery/testing";
import fc from "fast-check";
import { createTestRegistry } from "../../test/registry/registry.ts";

const configMaps = "/api/v1/namespaces/default/configmaps";
const merge = { "content-type": "application/merge-patch+json" };

function labelled(name: string, labels: Record<string, string> = {}) {
  return { body: { metadata: { name, labels } } };
}

function relabel(labels: Record<string, string | null>) {
  return { method: "PATCH", headers: merge, body: { metadata: { labels } } };
}

describe("a watch", () => {
  it("tells of what happens after a version", async () => {
    await using registry = await createTestRegistry();
    const { ask, store } = registry;
    await ask(configMaps, labelled("a"));
    const from = store.revision;
    await ask(`${configMaps}/a`, relabel({ x: "y" }));
    const watch = await registry.watch(`${configMaps}?watch=1&resourceVersion=${from}`);
    await ask(configMaps, labelled("b"));
    await ask(`${configMaps}/a`, { method: "DELETE" });
    const told = [`MODIFIED a@${from + 1}`, `ADDED b@${from + 2}`, `DELETED a@${from + 3}`];
    assert.deepEqual(watch.told, told);
    watch.stop();
    await watch.ended;
  });

  it("lets objects enter and leave a selection", async () => {
    await using registry = await createTestRegistry();
    const { ask, store } = registry;
    const from = store.revision;
    await ask(configMaps, labelled("a", { in: "yes" }));
    await ask(`${configMaps}/a`, relabel({ in: "no" }));
    await ask(`${configMaps}/a`, relabel({ in: "maybe" }));
    await ask(`${configMaps}/a`, relabel({ in: "yes" }));
    await ask(`${configMaps}/a`, relabel({ more: "yes" }));
    await ask(`${configMaps}/a`, { method: "DELETE" });
    const target = `${configMaps}?watch=1&resourceVersion=${from}&labelSelector=in%3Dyes`;
    const watch = await registry.watch(target);
    assert.deepEqual(watch.told, [
      `ADDED a@${from + 1}`,
      `DELETED a@${from + 2}`,
      `ADDED a@${from + 4}`,
      `MODIFIED a@${from + 5}`,
      `DELETED a@${from + 6}`,
    ]);
    // As it was when it was last seen.
    assert.deepEqual(watch.events[1]?.object.metadata.labels, { in: "yes" });
    watch.stop();
    await watch.ended;
  });

  it("begins with what is there where no version is named", async () => {
    await using registry = await createTestRegistry();
    const { ask, store } = registry;
    await ask(configMaps, labelled("a"));
    const [at] = [store.revision];
    for (const query of ["", "&resourceVersion=0"]) {
      const watch = await registry.watch(`${configMaps}?watch=1${query}`);
      await settled();
      assert.deepEqual(watch.told, [`ADDED a@${at}`]);
      watch.stop();
      await watch.ended;
    }
  });

  it("ends initial events with a bookmark that says so, and goes on without a gap", async () => {
    await using registry = await createTestRegistry();
    const { ask, store } = registry;
    await ask(configMaps, labelled("a"));
    const at = store.revision;
    const initial =
      "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=1";
    const watch = await registry.watch(`${configMaps}?watch=1&${initial}`);
    await ask(configMaps, labelled("b"));
    await settled();
    assert.deepEqual(watch.told, [`ADDED a@${at}`, `BOOKMARK @${at}`, `ADDED b@${at + 1}`]);
    const { metadata, kind } = watch.events[1]?.object ?? {};
    assert.equal(kind, "ConfigMap");
    assert.deepEqual(metadata?.annotations, { "k8s.io/initial-events-end": "true" });
    watch.stop();
    await watch.ended;
  });

  it("begins now where initial events are not wanted", async () => {
    await using registry = await createTestRegistry();
    const { ask, store } = registry;
    await ask(configMaps, labelled("a"));
    const none = "sendInitialEvents=false&resourceVersionMatch=NotOlderThan";
    const watch = await registry.watch(`${configMaps}?watch=1&${none}`);
    await ask(configMaps, labelled("b"));
    assert.deepEqual(watch.told, [`ADDED b@${store.revision}`]);
    watch.stop();
    await watch.ended;
  });

  it("tells every minute how far it has come, and right before its end", async () => {
    await using registry = await createTestRegistry();
    const { ask, store, clock } = registry;
    const from = store.revision;
    const target = `${configMaps}?watch=1&resourceVersion=${from}&allowWatchBookmarks=true`;
    const watch = await registry.watch(`${target}&timeoutSeconds=90`);
    await clock.advance(59_000);
    assert.deepEqual(watch.told, []);
    // What happens elsewhere counts as well.
    await ask("/api/v1/namespaces/other/pods", labelled("p"));
    await clock.advance(1_000);
    assert.deepEqual(watch.told, [`BOOKMARK @${from + 1}`]);
    await clock.advance(28_000);
    assert.equal(watch.told.length, 2);
    await clock.advance(2_000);
    await watch.ended;
    assert.equal(watch.told.length, 2);
    assert.equal(clock.timers, 0);
  });

  it("from a version that is forgotten is an error in the stream", async () => {
    await using registry = await createTestRegistry();
    const { ask, store } = registry;
    const from = store.revision;
    await ask(configMaps, labelled("a"));
    await ask(configMaps, labelled("b"));
    await store.compact(store.revision);
    const watch = await registry.watch(`${configMaps}?watch=1&resourceVersion=${from}`);
    await watch.ended;
    assert.equal(watch.status, 200);
    assert.equal(watch.events.length, 1);
    const [event] = watch.events;
    assert.deepEqual([event?.type, event?.object.code], ["ERROR", 410]);
    assert.match(event?.object.message ?? "", /^too old resource version: \d+ \(\d+\)$/);
  });

  it("from a version that is yet to come waits for it", async () => {
    await using registry = await createTestRegistry();
    const { ask, store } = registry;
    const from = store.revision + 1;
    const watch = await registry.watch(`${configMaps}?watch=1&resourceVersion=${from}`);
    await ask(configMaps, labelled("a"));
    await ask(configMaps, labelled("b"));
    assert.deepEqual(watch.told, [`ADDED b@${from + 1}`]);
    watch.stop();
    await watch.ended;
    const initial = "sendInitialEvents=true&resourceVersionMatch=NotOlderThan";
    const ahead = await registry.watch(`${configMaps}?watch=1&resourceVersion=999&${initial}`);
    await ahead.ended;
    assert.equal(ahead.events[0]?.object.code, 504);
  });

  it("of a reader who takes nothing is closed, and others do not notice", async () => {
    await using registry = await createTestRegistry();
    const { ask, store } = registry;
    const target = `${configMaps}?watch=1&resourceVersion=${store.revision}`;
    const [slow, fast] = [await registry.watch(target), await registry.watch(target)];
    slow.isStuck = true;
    await ask(configMaps, labelled("a"));
    for (let count = 0; count < 1002; count++) {
      await ask(`${configMaps}/a`, relabel({ count: String(count) }));
    }
    const cut = assert.rejects(slow.ended, /does not read what it watches/);
    await registry.clock.advance(5_000);
    await cut;
    assert.equal(slow.told.length, 1);
    assert.equal(fast.told.length, 1003);
    fast.stop();
    await fast.ended;
  });

  it("of a slow reader tells of all that was missed, however much it is", async () => {
    await using registry = await createTestRegistry();
    const { ask, store } = registry;
    const from = store.revision;
    await ask(configMaps, labelled("a"));
    for (let count = 0; count < 1500; count++) {
      await ask(`${configMaps}/a`, relabel({ count: String(count) }));
    }
    const watch = await registry.watch(
      `${configMaps}?watch=1&resourceVersion=${from}`,
      {},
      "slowly",
    );
    await waitFor(() => watch.told.length === 1501, { what: "all that was missed" });
    assert.equal(watch.told.at(-1), `MODIFIED a@${store.revision}`);
    watch.stop();
    await watch.ended;
  });

  it("of a reader who takes too long to hear of the past is told that it is forgotten", async () => {
    await using registry = await createTestRegistry();
    const { ask, store } = registry;
    const from = store.revision;
    // More than is gathered to be sent as one piece.
    const annotations = { long: "x".repeat(1_000) };
    await ask(configMaps, labelled("a"));
    await ask(`${configMaps}/a`, { ...relabel({}), body: { metadata: { annotations } } });
    for (let count = 0; count < 200; count++) {
      await ask(`${configMaps}/a`, relabel({ count: String(count) }));
    }
    const target = `${configMaps}?watch=1&resourceVersion=${from}`;
    const watch = await registry.watch(target, {}, "never");
    await store.compact(store.revision);
    watch.release();
    await watch.ended;
    assert.deepEqual([watch.events.at(-1)?.type, watch.events.at(-1)?.object.code], ["ERROR", 410]);
  });

  it("in a form that an object can't have is told so, and nobody else is", async () => {
    await using registry = await createTestRegistry();
    const { ask, store } = registry;
    const target = `${configMaps}?watch=1&resourceVersion=${store.revision}`;
    const accept = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";
    const odd = await registry.watch(target, { accept });
    const plain = await registry.watch(target);
    await ask(configMaps, labelled("a"));
    await odd.ended;
    assert.deepEqual(
      odd.events.map(({ type, object }) => [type, object.code]),
      [["ERROR", 406]],
    );
    assert.equal(plain.told.length, 1);
    plain.stop();
    await plain.ended;
  });

  it("of one name tells of no other", async () => {
    await using registry = await createTestRegistry();
    const { ask, store } = registry;
    const target = `${configMaps}?watch=1&resourceVersion=${store.revision}`;
    const watch = await registry.watch(`${target}&fieldSelector=metadata.name%3Db`);
    for (const name of ["a", "b", "c"]) await ask(configMaps, labelled(name));
    assert.equal(watch.told.length, 1);
    watch.stop();
    await watch.ended;
  });

  it("brings who listed before to what is there, whatever happens and whatever is selected", async () => {
    const name = fc.constantFrom("a", "b", "c");
    const step = fc.tuple(name, fc.constantFrom("create", "in", "out", "other", "delete"));
    const selector = fc.constantFrom(
      "",
      "labelSelector=in%3Dyes",
      "fieldSelector=metadata.name!%3Db",
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step), fc.array(step), selector, async (before, after, query) => {
        await using registry = await createTestRegistry();
        const { ask } = registry;
        const act = ([at, what]: [string, string]) => {
          if (what === "create") return ask(configMaps, labelled(at));
          if (what === "delete") return ask(`${configMaps}/${at}`, { method: "DELETE" });
          return ask(`${configMaps}/${at}`, relabel({ in: what === "in" ? "yes" : what }));
        };
        for (const each of before) await act(each);
        const list = (await ask(`${configMaps}?${query}`)).body;
        const version = list.metadata.resourceVersion;
        const watch = await registry.watch(
          `${configMaps}?watch=1&resourceVersion=${version}&${query}`,
        );
        for (const each of after) await act(each);
        const seen = new Map(
          list.items.map((item: { metadata: { name: string } }) => [
            item.metadata.name,
            item.metadata,
          ]),
        );
        for (const { type, object } of watch.events) {
          assert.equal(seen.has(object.metadata.name), type !== "ADDED");
          if (type === "DELETED") seen.delete(object.metadata.name);
          else seen.set(object.metadata.name, object.metadata);
        }
        const now = (await ask(`${configMaps}?${query}`)).body.items;
        const metadata = now.map((item: { metadata: object }) => item.metadata);
        assert.deepEqual(
          [...seen.keys()].sort().map((key) => seen.get(key)),
          metadata,
        );
        watch.stop();
        await watch.ended;
      }),
      { numRuns: 60 },
    );
  });
});
