import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { KubeObject } from "@rookery/kube";
import { FakeServer } from "../../test/committer/fake-server.ts";
import { createCommitter } from "./committer.ts";
import { withOwnWrites } from "./own-writes.ts";

const key = { namespace: "ns", name: "a" };
const original: KubeObject = {
  apiVersion: "example.dev/v1",
  kind: "Thing",
  metadata: { ...key, uid: "1", resourceVersion: "7" },
};

/** A server, and a cache that hears of it when it is told to. */
function setUp() {
  const server = new FakeServer(original);
  const cache: { object: KubeObject | undefined } = { object: server.object };
  const own = withOwnWrites<KubeObject>({
    get: async () => cache.object,
    commit: createCommitter(server.dependencies),
  });
  const label = async (value: string) => {
    const read = await own.get(key);
    assert.ok(read);
    const metadata = { ...read.metadata, labels: { value } };
    return own.commit(read, { ...read, metadata });
  };
  return { server, cache, own, label };
}

describe("what is read after a write", () => {
  it("is what was written, while the cache has what was there before", async () => {
    const { own, label } = setUp();
    const written = await label("one");
    assert.equal(await own.get(key), written);
  });

  it("is the last of several writes, however far behind the cache is", async () => {
    const { server, cache, own, label } = setUp();
    const first = await label("one");
    const second = await label("two");
    cache.object = first;
    assert.equal(await own.get(key), second);
    cache.object = server.object;
    assert.equal(await own.get(key), server.object);
  });

  it("is what the cache has, once that is something else", async () => {
    const { server, cache, own, label } = setUp();
    await label("one");
    server.set({
      ...server.object,
      metadata: { ...server.object.metadata, labels: { by: "others" } },
    });
    cache.object = server.object;
    assert.equal(await own.get(key), server.object);
  });

  it("is nothing, where the cache has heard that it is gone", async () => {
    const { cache, own, label } = setUp();
    await label("one");
    cache.object = undefined;
    assert.equal(await own.get(key), undefined);
    cache.object = original;
    assert.equal(await own.get(key), original);
  });

  it("comes from the cache, where nothing had to be written", async () => {
    const { cache, own } = setUp();
    await own.commit(original, structuredClone(original));
    assert.equal(await own.get(key), cache.object);
  });
});
