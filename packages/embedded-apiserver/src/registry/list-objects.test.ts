import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { createTestRegistry, type TestRegistry } from "../../test/registry/registry.ts";

const configMaps = "/api/v1/namespaces/default/configmaps";

async function make({ ask }: TestRegistry, path: string, ...names: string[]): Promise<void> {
  for (const name of names) {
    const { status } = await ask(path, { body: { metadata: { name, labels: { [name]: "x" } } } });
    assert.equal(status, 201);
  }
}

function namesIn({ body }: { body: { items: { metadata: { name: string } }[] } }): string[] {
  return body.items.map(({ metadata }) => metadata.name);
}

describe("a list in parts", () => {
  it("says how many are left, and goes on as of its beginning", async () => {
    await using registry = await createTestRegistry();
    const { ask } = registry;
    await make(registry, configMaps, "a", "b", "c", "d", "e");
    const first = await ask(`${configMaps}?limit=2`);
    assert.deepEqual(namesIn(first), ["a", "b"]);
    assert.equal(first.body.metadata.remainingItemCount, 3);
    await ask(`${configMaps}/d`, { method: "DELETE" });
    await make(registry, configMaps, "bb", "f");
    const second = await ask(`${configMaps}?limit=2&continue=${first.body.metadata.continue}`);
    assert.deepEqual(namesIn(second), ["c", "d"]);
    assert.equal(second.body.metadata.remainingItemCount, 1);
    assert.equal(second.body.metadata.resourceVersion, first.body.metadata.resourceVersion);
    const third = await ask(`${configMaps}?limit=2&continue=${second.body.metadata.continue}`);
    assert.deepEqual(namesIn(third), ["e"]);
    assert.equal(third.body.metadata.continue, undefined);
  });

  it("does not count what a selector leaves out", async () => {
    await using registry = await createTestRegistry();
    await make(registry, configMaps, "a", "b", "c");
    const { body } = await registry.ask(`${configMaps}?limit=1&labelSelector=a`);
    assert.equal(body.metadata.remainingItemCount, undefined);
    // Something comes after it, selected or not.
    assert.notEqual(body.metadata.continue, undefined);
  });

  it("has no limit in what may be stale", async () => {
    await using registry = await createTestRegistry();
    await make(registry, configMaps, "a", "b", "c");
    const list = await registry.ask(`${configMaps}?limit=1&resourceVersion=0`);
    assert.deepEqual(namesIn(list), ["a", "b", "c"]);
  });

  it("that is too old gives a token to go on with what is there", async () => {
    await using registry = await createTestRegistry();
    const { ask, store } = registry;
    await make(registry, configMaps, "a", "b", "c", "d");
    const first = await ask(`${configMaps}?limit=2`);
    await ask(`${configMaps}/c`, { method: "DELETE" });
    await store.compact(store.revision);
    const late = await ask(`${configMaps}?limit=2&continue=${first.body.metadata.continue}`);
    assert.equal(late.status, 410);
    assert.equal(late.body.reason, "Expired");
    assert.match(late.body.message, /^The provided continue parameter is too old/);
    const rest = await ask(`${configMaps}?limit=2&continue=${late.body.metadata.continue}`);
    assert.deepEqual(namesIn(rest), ["d"]);
    const exact = await ask(`${configMaps}?resourceVersion=2&resourceVersionMatch=Exact`);
    assert.deepEqual(
      [exact.status, exact.body.message],
      [410, "The resourceVersion for the provided list is too old."],
    );
  });

  it("is the whole list at its beginning, whatever is written meanwhile", async () => {
    const name = fc.constantFrom("a", "a-b", "a.b", "b", "ba", "c");
    const namespace = fc.constantFrom("n", "n-m", "n.m", "o");
    const place = fc.tuple(namespace, name);
    const write = fc.tuple(fc.boolean(), place);
    await fc.assert(
      fc.asyncProperty(
        fc.array(place, { maxLength: 12 }),
        fc.array(write, { maxLength: 6 }),
        fc.integer({ min: 1, max: 4 }),
        async (places, writes, limit) => {
          await using registry = await createTestRegistry();
          const { ask } = registry;
          const path = (at: string) => `/api/v1/namespaces/${at}/configmaps`;
          const create = (at: string, n: string) =>
            ask(path(at), { body: { metadata: { name: n } } });
          for (const [at, n] of places) await create(at, n);
          const whole = (await ask("/api/v1/configmaps")).body;
          const items: unknown[] = [];
          let token = "";
          do {
            const { body } = await ask(`/api/v1/configmaps?limit=${limit}&continue=${token}`);
            items.push(...body.items);
            token = body.metadata.continue ?? "";
            const [removes, [at, n]] = writes[items.length % (writes.length || 1)] ?? [
              false,
              ["n", "z"],
            ];
            if (removes) await ask(`${path(at)}/${n}`, { method: "DELETE" });
            else await create(at, n);
          } while (token !== "");
          assert.deepEqual(items, whole.items);
          const keys = whole.items.map(
            ({ metadata }: { metadata: { namespace: string; name: string } }) =>
              `${metadata.namespace}/${metadata.name}`,
          );
          assert.deepEqual(keys, keys.toSorted());
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe("a list of a version", () => {
  it("is exactly that, or not older, or refused where it is yet to come", async () => {
    await using registry = await createTestRegistry();
    const { ask, store } = registry;
    await make(registry, configMaps, "a");
    const at = store.revision;
    await make(registry, configMaps, "b");
    const version = `resourceVersion=${at}`;
    const exact = await ask(`${configMaps}?${version}&resourceVersionMatch=Exact`);
    assert.deepEqual(namesIn(exact), ["a"]);
    assert.equal(exact.body.metadata.resourceVersion, String(at));
    assert.deepEqual(namesIn(await ask(`${configMaps}?${version}&limit=5`)), ["a"]);
    const newer = await ask(`${configMaps}?${version}&resourceVersionMatch=NotOlderThan`);
    assert.deepEqual(namesIn(newer), ["a", "b"]);
    const future = await ask(`${configMaps}?resourceVersion=999`);
    assert.deepEqual(future.body, {
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: `Timeout: Too large resource version: 999, current: ${store.revision}`,
      reason: "Timeout",
      details: {
        causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
        retryAfterSeconds: 1,
      },
      code: 504,
    });
    assert.equal((await ask(`${configMaps}/a?resourceVersion=999`)).status, 504);
    assert.equal((await ask(`${configMaps}/a?resourceVersion=abc`)).status, 500);
    assert.equal((await ask(`${configMaps}?resourceVersion=abc`)).status, 400);
  });
});

describe("a list selects", () => {
  it("by fields of the kind, names and namespaces", async () => {
    await using registry = await createTestRegistry();
    const { ask } = registry;
    const pods = (namespace: string) => `/api/v1/namespaces/${namespace}/pods`;
    for (const [namespace, name, nodeName] of [
      ["n", "a", "one"],
      ["n", "b", "two"],
      ["o", "a", "one"],
    ] as const) {
      await ask(pods(namespace), { body: { metadata: { name }, spec: { nodeName } } });
    }
    const rows: Record<string, string[]> = {
      "spec.nodeName=one": ["a", "a"],
      "spec.nodeName!=one": ["b"],
      "metadata.namespace!=n": ["a"],
      "metadata.namespace=n": ["a", "b"],
      "metadata.namespace=n,metadata.name=b": ["b"],
      "metadata.name=b": ["b"],
      "metadata.name=a,metadata.name=b": [],
      "metadata.namespace=Not A Name": [],
    };
    for (const [selector, names] of Object.entries(rows)) {
      const list = await ask(`/api/v1/pods?fieldSelector=${encodeURIComponent(selector)}`);
      assert.deepEqual(namesIn(list), names, selector);
    }
    assert.equal((await ask("/api/v1/pods?fieldSelector=spec.x%3D1")).status, 400);
  });
});
