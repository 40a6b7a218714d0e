import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createClientOver } from "@rookery/client";
import type { KubeObject, Resource } from "@rookery/kube";
import { FakeClock, settled } from "@rookery/testing";
import { FakeApiServer } from "../../test/cache/fake-api-server.ts";
import { nests } from "../../test/cache/informer.ts";
import type { NamespaceScope } from "../scope/namespace-scope.ts";
import { type Cache, type CacheOptions, createCache } from "./cache.ts";

const clusterNests: Resource = { ...nests, plural: "clusternests", namespaced: false };

class CacheFixture implements AsyncDisposable {
  readonly server = new FakeApiServer({ clock: new FakeClock() });
  readonly cache: Cache;
  readonly accepts: unknown[] = [];
  readonly paths: string[] = [];
  readonly #stop = new AbortController();
  #running: Promise<void> | undefined;

  constructor(options: Partial<CacheOptions> = {}) {
    const client = createClientOver((request) => {
      this.accepts.push(request.headers.accept);
      this.paths.push(request.path);
      return this.server.handler(request);
    });
    this.cache = createCache({ client, clock: new FakeClock(), ...options });
    this.server.put("a");
  }

  /** What is watched, each once. */
  get watched(): readonly string[] {
    const isWatch = (index: number) => this.server.requests[index]?.get("watch") === "true";
    return this.paths.filter((_, index) => isWatch(index));
  }

  async start(): Promise<this> {
    this.#running = this.cache.start(this.#stop.signal);
    await settled();
    return this;
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}

const only = (namespace: string): NamespaceScope => ({
  type: "namespaces",
  namespaces: [namespace],
});

describe("a cache", () => {
  it("has one informer for a resource and a selection, however often it is asked for", () => {
    const { cache } = new CacheFixture();
    const informer = cache.informerFor(nests);
    assert.equal(cache.informerFor({ ...nests }), informer);
    assert.notEqual(cache.informerFor({ ...nests, version: "v2" }), informer);
    assert.notEqual(cache.informerFor(nests, { labelSelector: "name=a" }), informer);
    assert.notEqual(cache.metadataInformerFor(nests), informer);
  });

  it("asks for nothing before it is started, then for all at once, and later at once", async () => {
    await using fixture = new CacheFixture();
    const early = fixture.cache.informerFor(nests);
    await settled();
    assert.equal(fixture.server.requests.length, 0);
    await fixture.start();
    await fixture.cache.waitForReady?.(new AbortController().signal);
    assert.equal(early.hasSynced, true);
    const late = fixture.cache.informerFor(clusterNests);
    await settled();
    assert.equal(late.hasSynced, true);
  });

  it("reads when the informer has synced, and makes it where there is none", async () => {
    await using fixture = new CacheFixture();
    const read = fixture.cache.get(nests, { namespace: "default", name: "a" });
    await fixture.start();
    assert.equal((await read)?.metadata.name, "a");
    assert.equal(await fixture.cache.get(nests, { namespace: "default", name: "b" }), undefined);
    assert.equal((await fixture.cache.list(nests)).length, 1);
    await settled();
    assert.deepEqual(fixture.watched, ["/apis/test.rookery.dev/v1/nests"]);
  });

  it("says of reads outside of its scope that they are, and asks nobody", async () => {
    await using fixture = new CacheFixture({ scope: only("one"), ownNamespace: "own" });
    await fixture.start();
    const error = { code: "OutOfScope", namespace: "two", flag: "--namespace=one" };
    await assert.rejects(fixture.cache.get(nests, { namespace: "two", name: "a" }), error);
    await assert.rejects(fixture.cache.list(nests, { namespace: "two" }), error);
    await assert.rejects(fixture.cache.list(nests, { namespace: "own" }), { namespace: "own" });
    assert.equal(fixture.server.requests.length, 0);
  });

  it("asks the server for objects of its own namespace by key, and does not watch it", async () => {
    await using fixture = new CacheFixture({ scope: only("one"), ownNamespace: "default" });
    await fixture.start();
    const found = await fixture.cache.get(nests, { namespace: "default", name: "a" });
    assert.equal(found?.metadata.name, "a");
    assert.equal(await fixture.cache.get(nests, { namespace: "default", name: "b" }), undefined);
    const path = "/apis/test.rookery.dev/v1/namespaces/default/nests";
    assert.deepEqual(fixture.paths, [`${path}/a`, `${path}/b`]);
  });

  it("reads its own namespace from memory where that is in scope", async () => {
    await using fixture = new CacheFixture({ scope: only("default"), ownNamespace: "default" });
    await fixture.start();
    assert.ok(await fixture.cache.get(nests, { namespace: "default", name: "a" }));
    await settled();
    assert.deepEqual(fixture.watched, ["/apis/test.rookery.dev/v1/namespaces/default/nests"]);
  });

  it("watches cluster-scoped resources whatever its scope", async () => {
    const scope: NamespaceScope = { type: "excluded", namespaces: ["one"] };
    await using fixture = new CacheFixture({ scope });
    await fixture.start();
    for (const resource of [clusterNests, nests]) {
      await fixture.cache.list(resource);
      await settled();
    }
    assert.deepEqual(
      fixture.server.requests.map((query) => query.get("fieldSelector")),
      [null, null, "metadata.namespace!=one", "metadata.namespace!=one"],
    );
  });

  it("asks for metadata alone, and gives it the kind of its resource", async () => {
    await using fixture = new CacheFixture();
    const informer = fixture.cache.metadataInformerFor(nests);
    await fixture.start();
    const [object] = informer.list() as readonly KubeObject[];
    await settled();
    assert.deepEqual(fixture.accepts, [
      "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1",
      "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1",
    ]);
    assert.deepEqual([object?.kind, object?.apiVersion], ["Nest", "test.rookery.dev/v1"]);
  });

  it("applies its transform to every resource", async () => {
    const transform = <T extends KubeObject>(object: T): T => ({ ...object, spec: "transformed" });
    await using fixture = new CacheFixture({ transform });
    await fixture.start();
    const [object] = await fixture.cache.list(nests);
    assert.equal(object?.spec, "transformed");
  });

  it("stops all of its informers, and starts none afterwards", async () => {
    const fixture = await new CacheFixture().start();
    const informer = fixture.cache.informerFor(nests);
    await settled();
    assert.equal(fixture.server.openWatches, 1);
    await fixture.stop();
    await settled();
    assert.equal(fixture.server.openWatches, 0);
    assert.equal(informer.hasSynced, true);
    const late = fixture.cache.informerFor(clusterNests);
    await assert.rejects(late.waitForSync(), { code: "CacheStopped" });
    assert.equal(fixture.server.requests.length, 2);
  });
});
