import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, it } from "node:test";
import { createTemporaryFolder, FakeClock } from "@rookery/testing";
import { configMap, namesOf, recordEvents } from "../../test/store/store.ts";
import { encodedJson } from "./encoded-json.ts";
import { openStore } from "./open-store.ts";

describe("openStore", () => {
  it("begins at a revision that does not mean any", async () => {
    await using store = await openStore({ folder: "" });
    assert.equal(store.revision, 1);
    assert.deepEqual(store.list("configmaps"), { entries: [], revision: 1 });
  });

  it("says its revision in the object, its bytes and its list", async () => {
    await using store = await openStore({ folder: "" });
    const written = await store.write(configMap("a", { data: "ü" }));
    assert.equal(written.object.metadata?.resourceVersion, "2");
    assert.deepEqual(JSON.parse(Buffer.from(written.bytes).toString()), written.object);
    assert.deepEqual(store.list("configmaps"), { entries: [written], revision: 2 });
    assert.equal(store.get(written), written);
    assert.equal(encodedJson(written.object), written.bytes);
    assert.ok(Object.isFrozen(written.object.metadata));
  });

  it("refuses a write that was made for another state, and says which one is there", async () => {
    await using store = await openStore({ folder: "" });
    const first = await store.write(configMap("a"));
    await assert.rejects(store.write(configMap("a")), { code: "Stale", current: first });
    await assert.rejects(store.write(configMap("b", { expected: 7 })), {
      code: "Stale",
      current: undefined,
    });
    await assert.rejects(store.write(configMap("b", { object: undefined })), { code: "Stale" });
    assert.equal(store.revision, first.revision);
  });

  it("lets one of several writes of the same turn win, and shows it to the others", async () => {
    await using store = await openStore({ folder: "" });
    const outcomes = await Promise.allSettled(
      ["1", "2", "3"].map((data) => store.write(configMap("a", { data }))),
    );
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ["fulfilled", "rejected", "rejected"],
    );
    assert.equal(store.get(configMap("a"))?.revision, 2);
  });

  it("shows nothing of a write before it is durable", async () => {
    await using store = await openStore({ folder: "" });
    const events = recordEvents(store, "*", 0);
    const write = store.write(configMap("a"));
    await Promise.resolve();
    assert.equal(store.get(configMap("a")), undefined);
    assert.deepEqual([events.length, store.revision], [0, 1]);
    await write;
    assert.deepEqual([events.length, store.revision], [1, 2]);
  });

  it("gives the deleted object under the revision of its deletion", async () => {
    await using store = await openStore({ folder: "" });
    const events = recordEvents(store, "configmaps", 0);
    const written = await store.write(configMap("a", { data: "last" }));
    const deleted = await store.write(
      configMap("a", { expected: written.revision, object: undefined }),
    );
    assert.equal(deleted.object.metadata?.resourceVersion, "3");
    assert.deepEqual(
      { ...deleted.object, metadata: undefined },
      { ...written.object, metadata: undefined },
    );
    assert.equal(store.get(written), undefined);
    assert.deepEqual(
      [events[1]?.entry, events[1]?.previous, events[1]?.deleted],
      [undefined, written, deleted],
    );
  });

  it("tells of what is past at once and of what comes later, once each, by resource", async () => {
    await using store = await openStore({ folder: "" });
    const first = await store.write(configMap("a"));
    await store.write(configMap("b", { resource: "secrets" }));
    await store.write(configMap("c"));
    const all = recordEvents(store, "*", 0);
    const since = recordEvents(store, "configmaps", first.revision);
    await store.write(configMap("d"));
    assert.deepEqual(
      all.map(({ revision }) => revision),
      [2, 3, 4, 5],
    );
    assert.deepEqual(
      since.map(({ revision }) => revision),
      [4, 5],
    );
  });

  it("tells a watcher that comes while others are told of an event of it once", async () => {
    await using store = await openStore({ folder: "" });
    const late: number[] = [];
    store.watch("configmaps", 0, ({ revision }) => {
      if (revision === 2) store.watch("configmaps", 0, (event) => late.push(event.revision));
    });
    await Promise.all([store.write(configMap("a")), store.write(configMap("b"))]);
    assert.deepEqual(late, [2, 3]);
  });

  it("tells a watcher that has closed no more", async () => {
    await using store = await openStore({ folder: "" });
    const seen: number[] = [];
    const subscription = store.watch("configmaps", 0, ({ revision }) => {
      seen.push(revision);
      subscription.close();
    });
    await Promise.all([store.write(configMap("a")), store.write(configMap("b"))]);
    assert.deepEqual(seen, [2]);
  });

  it("lists in the order of the keys of etcd", async () => {
    await using store = await openStore({ folder: "" });
    for (const namespace of ["a", "b", "a-b", ""]) {
      for (const name of ["z", "x-1", "x.1", "x1"])
        await store.write(configMap(name, { namespace }));
    }
    const names = ["x-1", "x.1", "x1", "z"];
    const expected = ["", "a-b", "a", "b"].flatMap((space) => names.map((n) => `${space}/${n}`));
    assert.deepEqual(namesOf(store), expected);
    assert.deepEqual(namesOf(store, { namespace: "a" }), ["a/x-1", "a/x.1", "a/x1", "a/z"]);
  });
});

describe("what is compacted", () => {
  it("can't be listed or watched from, and what is there stays", async () => {
    await using store = await openStore({ folder: "" });
    const first = await store.write(configMap("a"));
    await store.write(configMap("a", { expected: first.revision, data: "new" }));
    await store.write(configMap("b"));
    await store.compact(3);
    const expected = { code: "Compacted", oldest: 3 };
    assert.throws(() => store.list("configmaps", { revision: 2 }), expected);
    assert.throws(() => store.watch("configmaps", 2, () => {}), expected);
    assert.throws(() => store.watch("configmaps", 0, () => {}), expected);
    assert.deepEqual(namesOf(store, { revision: 3 }), ["default/a"]);
    assert.deepEqual(namesOf(store), ["default/a", "default/b"]);
    assert.equal(recordEvents(store, "*", 3).length, 1);
  });

  it("goes by time", async (t) => {
    t.mock.timers.enable({ apis: ["setInterval"] });
    const clock = new FakeClock();
    await using store = await openStore({ folder: "", historyMs: 300_000, now: clock.date });
    await store.write(configMap("a"));
    await clock.advance(290_000);
    await store.write(configMap("b"));
    await clock.advance(20_000);
    t.mock.timers.tick(60_000);
    assert.throws(() => store.watch("*", 1, () => {}), { code: "Compacted", oldest: 2 });
    assert.equal(recordEvents(store, "*", 2).length, 1);
  });

  it("goes by number, however young", async () => {
    await using store = await openStore({ folder: "", maxHistory: 10 });
    for (let i = 0; i < 12; i++) await store.write(configMap(`a${i}`));
    assert.throws(() => store.watch("*", 2, () => {}), { code: "Compacted", oldest: 3 });
    assert.equal(recordEvents(store, "*", 3).length, 10);
  });

  it("can't lie in the future", async () => {
    await using store = await openStore({ folder: "" });
    await assert.rejects(store.compact(2), RangeError);
    assert.throws(() => store.list("configmaps", { revision: 2 }), RangeError);
  });
});

describe("a store in a folder", () => {
  it("is found again with its history, so that watchers go on", async () => {
    await using folder = await createTemporaryFolder("store");
    const first = await openStore({ folder: folder.path });
    const a = await first.write(configMap("a", { data: "1" }));
    const b = await first.write(configMap("b"));
    await first.write(configMap("a", { expected: a.revision, data: "2" }));
    await first.write(configMap("b", { expected: b.revision, object: undefined }));
    const told = recordEvents(first, "*", 0);
    await first[Symbol.asyncDispose]();

    await using second = await openStore({ folder: folder.path });
    assert.equal(second.revision, 5);
    assert.deepEqual(namesOf(second), ["default/a"]);
    assert.deepEqual(namesOf(second, { revision: 3 }), ["default/a", "default/b"]);
    const again = recordEvents(second, "*", 0);
    assert.deepEqual(again.map(described), told.map(described));
  });

  it("does not go back to an earlier revision when all that was written is compacted", async () => {
    await using folder = await createTemporaryFolder("store");
    const first = await openStore({ folder: folder.path });
    await first.write(configMap("a"));
    await first.write(configMap("a", { expected: 2, object: undefined }));
    await first.compact(3);
    await first[Symbol.asyncDispose]();
    await using second = await openStore({ folder: folder.path });
    assert.equal(second.revision, 3);
    assert.throws(() => second.watch("*", 2, () => {}), { code: "Compacted" });
    assert.equal((await second.write(configMap("a"))).revision, 4);
  });

  it("is refused to a second one, who learns who has it", async () => {
    await using folder = await createTemporaryFolder("store");
    await using _first = await openStore({ folder: folder.path });
    await assert.rejects(openStore({ folder: folder.path }), {
      code: "StoreUnusable",
      message: `could not open the store in ${folder.path}: process ${process.pid} uses it; stop it or use another folder`,
    });
  });

  it("is refused where no folder can be", async () => {
    await using folder = await createTemporaryFolder("store");
    const file = join(folder.path, "file");
    writeFileSync(file, "");
    await assert.rejects(openStore({ folder: join(file, "data") }), {
      code: "StoreUnusable",
      message: /ENOTDIR: .*; take a folder that can be written$/,
    });
  });

  it("is refused where a file is not a database", async () => {
    await using folder = await createTemporaryFolder("store");
    writeFileSync(join(folder.path, "store.sqlite"), "x".repeat(5000));
    await assert.rejects(openStore({ folder: folder.path }), /move it away or take another folder/);
  });

  it("is refused where a database is of another program, which is left as it is", async () => {
    await using folder = await createTemporaryFolder("store");
    const path = join(folder.path, "store.sqlite");
    using database = new DatabaseSync(path);
    database.exec("CREATE TABLE cookies (name TEXT)");
    database.close();
    await assert.rejects(openStore({ folder: folder.path }), /database of another program/);
    using again = new DatabaseSync(path);
    assert.deepEqual(again.prepare("SELECT name FROM sqlite_schema").all().length, 1);
  });

  it("is refused where a write is missing in the middle", async () => {
    await using folder = await createTemporaryFolder("store");
    const store = await openStore({ folder: folder.path });
    for (const name of ["a", "b", "c"]) await store.write(configMap(name));
    await store[Symbol.asyncDispose]();
    using database = new DatabaseSync(join(folder.path, "store.sqlite"));
    database.exec("DELETE FROM writes WHERE revision = 3");
    database.close();
    await assert.rejects(
      openStore({ folder: folder.path }),
      /revision 4 does not follow revision 2/,
    );
  });

  it("is refused where the file was written by a newer version", async () => {
    await using folder = await createTemporaryFolder("store");
    await (await openStore({ folder: folder.path }))[Symbol.asyncDispose]();
    using database = new DatabaseSync(join(folder.path, "store.sqlite"));
    database.exec("PRAGMA user_version = 99");
    database.close();
    await assert.rejects(openStore({ folder: folder.path }), /newer version of Rookery/);
  });

  it("commits what was written before it was closed, and takes no more", async () => {
    await using folder = await createTemporaryFolder("store");
    const store = await openStore({ folder: folder.path });
    const write = store.write(configMap("a"));
    await store[Symbol.asyncDispose]();
    assert.equal((await write).revision, 2);
    await assert.rejects(store.write(configMap("b")), /closed/);
  });
});

function described(event: {
  revision: number;
  entry: { object: object } | undefined;
  previous: { object: object } | undefined;
}) {
  return [event.revision, event.entry?.object, event.previous?.object];
}
