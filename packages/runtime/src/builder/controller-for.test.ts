import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createClientOver } from "@rookery/client";
import { InformerFixture, nests } from "../../test/cache/informer.ts";
import type { Cache } from "../cache/cache.ts";
import { objectMatches } from "../controller/predicates.ts";
import type { Request as ObjectRequest } from "../controller/request.ts";
import { done } from "../controller/result.ts";
import type { Source } from "../controller/source.ts";
import { silentLogger } from "../logging/logger.ts";
import { createMetrics } from "../metrics/metrics.ts";
import { controllerFor } from "./controller-for.ts";
import { createReconcileContext } from "./reconcile-context.ts";

/** A client that never gets an answer, and the parts of a provider around it. */
function partsOver(fixture: InformerFixture) {
  const client = createClientOver(
    ({ signal }) =>
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
  );
  const cache = { informerFor: () => fixture.informer } as unknown as Cache;
  return { client, cache, metrics: createMetrics(), logger: silentLogger };
}

describe("a controller", () => {
  it("takes requests from the source that replaces the watch of its own objects", async () => {
    await using fixture = new InformerFixture();
    fixture.server.put("a");
    await fixture.start();
    const stop = new AbortController();
    const reconciled: string[] = [];
    const source: Source = {
      name: "other",
      start: async (queue) => void queue.add({ name: "b" }),
    };
    await controllerFor(nests, partsOver(fixture), { source })
      .reconcile(({ name }) => {
        reconciled.push(name);
        stop.abort();
        return done;
      })
      .start(stop.signal);
    assert.deepEqual(reconciled, ["b"]);
  });

  it("reconciles its own objects, and those that others are mapped to", async () => {
    await using fixture = new InformerFixture();
    for (const name of ["a", "b"]) fixture.server.put(name);
    await fixture.start();
    const reconciled: string[] = [];
    const controller = controllerFor(nests, partsOver(fixture))
      .watches(
        nests,
        ({ metadata }) => [{ name: `mate-of-${metadata.name}` }],
        objectMatches(({ metadata }) => metadata.name === "b"),
      )
      .reconcile(({ name }) => {
        reconciled.push(name);
        return done;
      });
    assert.equal(controller.name, "nest");
    const stop = new AbortController();
    const running = controller.start(stop.signal);
    await fixture.settle();
    stop.abort();
    await running;
    assert.deepEqual(reconciled.toSorted(), ["a", "b", "mate-of-b"]);
  });

  it("makes a scope for each reconcile, which reports its error as well", async () => {
    await using fixture = new InformerFixture();
    fixture.server.put("a");
    await fixture.start();
    const stop = new AbortController();
    const told: [string, ObjectRequest][] = [];
    const lifecycle = {
      reconcile: async () => {
        throw new Error("no");
      },
      reportError: async (_: unknown, scope: { readonly of: ObjectRequest }) => {
        told.push(["reported", scope.of]);
        stop.abort();
      },
    };
    const running = controllerFor(nests, partsOver(fixture), { name: "mine" })
      .reconcile(lifecycle, ({ request }) => ({ of: request }))
      .start(stop.signal);
    await running;
    assert.deepEqual(told, [["reported", { namespace: "default", name: "a" }]]);
  });
});

it("what a reconcile asks for ends with its signal", async () => {
  await using fixture = new InformerFixture();
  const stop = new AbortController();
  const request = { namespace: "ns", name: "a" };
  const attempt = { request, signal: stop.signal, logger: silentLogger };
  const { client, commit } = createReconcileContext(nests, partsOver(fixture), attempt);
  const object = { apiVersion: "v1", kind: "Nest", metadata: request };
  const asked = [
    client.resource(nests).get(request),
    commit(object, { ...object, metadata: { ...request, labels: { a: "b" } } }),
  ];
  stop.abort(new Error("the manager stops"));
  for (const one of asked) await assert.rejects(one, /the manager stops/);
});

it("a read from the cache ends with the signal of the reconcile, or with its own limit", async () => {
  await using fixture = new InformerFixture();
  const { client, logger } = partsOver(fixture);
  const get = (_: unknown, __: unknown, signal?: AbortSignal) =>
    new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
  const stop = new AbortController();
  const limit = new AbortController();
  const request = { namespace: "ns", name: "a" };
  const parts = { client, cache: { get } as unknown as Cache };
  const attempt = { request, signal: stop.signal, logger };
  const { cache } = createReconcileContext(nests, parts, attempt);
  const [limited, unlimited] = [cache.get(nests, request, limit.signal), cache.get(nests, request)];
  limit.abort(new Error("the limit"));
  await assert.rejects(limited, /the limit/);
  stop.abort(new Error("the manager stops"));
  await assert.rejects(unlimited, /the manager stops/);
});
