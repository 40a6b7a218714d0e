import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { InformerFixture } from "../../test/cache/informer.ts";
import { RecordingHandler } from "../../test/cache/recording-handler.ts";
import { OutOfScopeError } from "../errors.ts";
import { withoutManagedFields } from "./transforms.ts";

const inInitialList = ({ events }: RecordingHandler) =>
  events.map((event) => event.type === "create" && event.isInInitialList);

describe("a shared informer", () => {
  it("tells a handler that comes late of all objects first, then of changes", async () => {
    await using fixture = new InformerFixture();
    fixture.server.put("a");
    await fixture.start();
    fixture.server.put("b");
    await fixture.settle();
    const late = new RecordingHandler();
    fixture.informer.addEventHandler(late.handle);
    fixture.server.put("a");
    await fixture.settle();
    assert.deepEqual(late.known, fixture.handler.known);
    assert.deepEqual(inInitialList(fixture.handler), [true, false, false]);
    assert.deepEqual(inInitialList(late), [true, true]);
  });

  it("lists and watches once for all of its handlers", async () => {
    await using fixture = new InformerFixture();
    for (let handler = 0; handler < 3; handler++) fixture.informer.addEventHandler(() => {});
    await fixture.start();
    assert.equal(fixture.server.requests.length, 2);
  });

  it("holds objects that throw where they are written to", async () => {
    await using fixture = new InformerFixture();
    fixture.server.put("a", { spec: { eggs: 2 } });
    await fixture.start();
    const [object] = fixture.informer.list();
    assert.throws(() => Object.assign(object?.spec as object, { eggs: 3 }), TypeError);
    const heard = fixture.handler.known.get("default/a");
    assert.equal(heard, object);
  });

  it("goes on where a handler throws, and says so", async () => {
    await using fixture = new InformerFixture();
    fixture.informer.addEventHandler(() => {
      throw new Error("not mine");
    });
    fixture.server.put("a");
    await fixture.start();
    assert.deepEqual(fixture.history, ["create a@2"]);
    const [line] = fixture.logger.lines.filter(({ level }) => level === "error");
    assert.equal(line?.message, "Event handler failed");
    assert.deepEqual(line?.values, {
      resource: "nests.test.rookery.dev",
      event: "create",
      namespace: "default",
      name: "a",
    });
  });

  it("tells a handler nothing once it is removed", async () => {
    await using fixture = new InformerFixture();
    const removed = new RecordingHandler();
    const registration = fixture.informer.addEventHandler(removed.handle);
    await fixture.start();
    registration.remove();
    fixture.server.put("a");
    await fixture.settle();
    assert.deepEqual(removed.events, []);
  });

  it("has synced for a handler only when that has heard of all objects", async () => {
    await using fixture = new InformerFixture();
    fixture.server.put("a");
    const handled = Promise.withResolvers<void>();
    const registration = fixture.informer.addEventHandler(() => handled.promise);
    await fixture.start();
    assert.deepEqual([fixture.informer.hasSynced, registration.hasSynced], [true, false]);
    handled.resolve();
    await registration.waitForSync();
    assert.equal(registration.hasSynced, true);
  });

  it("ends a wait for it with the reason of the signal", async () => {
    await using fixture = new InformerFixture();
    const reason = new Error("enough");
    const waiting = fixture.informer.waitForSync(AbortSignal.abort(reason));
    await assert.rejects(waiting, reason);
    const abort = new AbortController();
    const later = fixture.informer.waitForSync(abort.signal);
    abort.abort(reason);
    await assert.rejects(later, reason);
  });

  it("rejects waits where it is stopped before it has synced", async () => {
    const fixture = new InformerFixture();
    fixture.server.faults.push(new Error("refused"));
    const registration = fixture.informer.addEventHandler(() => {});
    await fixture.start();
    const waits = [fixture.informer.waitForSync(), registration.waitForSync()];
    await fixture.stop();
    for (const wait of waits) await assert.rejects(wait, { code: "CacheStopped" });
  });

  it("runs once", async () => {
    await using fixture = new InformerFixture();
    await fixture.start();
    const again = fixture.informer.run(new AbortController().signal);
    await assert.rejects(again, { code: "AlreadyStarted" });
  });

  it("delivers all objects again after each resync period, as updates without a change", async () => {
    await using fixture = new InformerFixture({ resyncPeriod: 60_000 });
    fixture.server.put("a");
    fixture.server.put("b");
    await fixture.start();
    await fixture.pass(62_000);
    assert.deepEqual(fixture.history, ["create a@2", "create b@3"]);
    await fixture.pass(2_000);
    assert.deepEqual(fixture.history.slice(2), ["update a@2", "update b@3"]);
    await fixture.pass(63_000);
    assert.equal(fixture.history.length, 6);
  });

  it("applies its transform to what it holds and tells, and goes on where that throws", async () => {
    await using fixture = new InformerFixture({
      transform(object) {
        if (object.metadata.name === "b") throw new Error("not this one");
        return withoutManagedFields({ ...object, spec: "transformed" });
      },
    });
    fixture.server.put("a");
    fixture.server.put("b");
    await fixture.start();
    const specs = fixture.informer.list().map(({ spec }) => spec);
    assert.deepEqual(specs, ["transformed", undefined]);
    assert.deepEqual([...fixture.handler.known.values()], fixture.informer.list());
    assert.ok(fixture.logger.lines.some(({ message }) => message === "Transform failed"));
  });

  it("leaves out of an index what its function throws on", async () => {
    await using fixture = new InformerFixture();
    fixture.informer.addIndex("initial", ({ metadata }) => {
      if (metadata.name === "bad") throw new Error("no");
      return [metadata.name?.[0] ?? ""];
    });
    for (const name of ["bad", "blue", "red"]) fixture.server.put(name);
    await fixture.start();
    const found = fixture.informer.list({ index: { name: "initial", value: "b" } });
    assert.deepEqual(
      found.map(({ metadata }) => metadata.name),
      ["blue"],
    );
  });
});

describe("a shared informer with a scope", () => {
  const fill = ({ server }: InformerFixture) => {
    for (const namespace of ["one", "two", "three"]) server.put("a", { namespace });
  };
  const namespacesOf = ({ informer }: InformerFixture) =>
    informer.list().map(({ metadata }) => metadata.namespace);

  it("lists and watches each selected namespace for itself, and merges them", async () => {
    const scope = { type: "namespaces", namespaces: ["one", "two"] } as const;
    await using fixture = new InformerFixture({ scope });
    fill(fixture);
    await fixture.start();
    assert.deepEqual(namespacesOf(fixture), ["one", "two"]);
    assert.equal(fixture.server.requests.length, 4);
    fixture.server.cutWatches();
    fixture.server.delete("a", "one");
    fixture.server.compact();
    await fixture.pass();
    assert.deepEqual(namespacesOf(fixture), ["two"]);
  });

  it("has synced at once where it has no namespace", async () => {
    const scope = { type: "namespaces", namespaces: [] } as const;
    await using fixture = new InformerFixture({ scope });
    await fixture.informer.waitForSync();
    assert.deepEqual(fixture.informer.list(), []);
  });

  it("has synced when all of its namespaces have", async () => {
    const scope = { type: "namespaces", namespaces: ["one", "two"] } as const;
    await using fixture = new InformerFixture({ scope });
    fixture.server.faults.push(new Error("refused"));
    await fixture.start();
    assert.equal(fixture.informer.hasSynced, false);
    await fixture.pass();
    assert.equal(fixture.informer.hasSynced, true);
  });

  it("has the server keep back what is excluded, beside a selector of its own", async () => {
    const scope = { type: "excluded", namespaces: ["two", "three"] } as const;
    await using fixture = new InformerFixture({ scope, fieldSelector: "metadata.namespace!=four" });
    fill(fixture);
    await fixture.start();
    assert.deepEqual(namespacesOf(fixture), ["one"]);
    const selector = "metadata.namespace!=two,metadata.namespace!=three,metadata.namespace!=four";
    assert.deepEqual(
      fixture.server.requests.map((query) => query.get("fieldSelector")),
      [selector, selector],
    );
  });

  it("says of a read outside of it that it is out of scope", async () => {
    const scope = { type: "namespaces", namespaces: ["one"] } as const;
    await using fixture = new InformerFixture({ scope });
    await fixture.start();
    assert.equal(fixture.informer.get({ namespace: "one", name: "b" }), undefined);
    const reads = [
      () => fixture.informer.get({ namespace: "two", name: "a" }),
      () => fixture.informer.list({ namespace: "two" }),
    ];
    for (const read of reads) assert.throws(read, OutOfScopeError);
  });
});
