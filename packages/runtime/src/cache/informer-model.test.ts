import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  internalError,
  notFoundError,
  resourceExpiredError,
  serviceUnavailableError,
  tooManyRequestsError,
} from "@rookery/kube";
import fc from "fast-check";
import { InformerFixture } from "../../test/cache/informer.ts";
import { RecordingHandler } from "../../test/cache/recording-handler.ts";
import type { NamespaceScope } from "../scope/namespace-scope.ts";
import type { ListMethod } from "./list-plan.ts";

/** What may happen, to the objects, to the server and between it and the informer. */
type Step = (fixture: InformerFixture) => void | Promise<void>;

const name = fc.constantFrom("a", "b", "c", "d");
const namespace = fc.constantFrom("one", "two", "three");
const failure = fc.constantFrom(
  new Error("connection refused"),
  tooManyRequestsError("later", 2),
  internalError(new Error("broken")),
  serviceUnavailableError("starting"),
  resourceExpiredError("too old"),
  notFoundError({ group: "test.rookery.dev", resource: "nests" }, ""),
);

const change: fc.Arbitrary<Step> = fc
  .record({ name, namespace, exists: fc.boolean() })
  .map(({ name, namespace, exists }) => ({ server }) => {
    if (exists) server.put(name, { namespace });
    else server.delete(name, namespace);
  });

/** Changes that nobody watches, and that the server may have forgotten afterwards. */
const outage: fc.Arbitrary<Step> = fc
  .record({ changes: fc.array(change, { maxLength: 8 }), compacted: fc.boolean() })
  .map(({ changes, compacted }) => async (fixture) => {
    fixture.server.cutWatches();
    for (const change of changes) await change(fixture);
    if (compacted) fixture.server.compact();
  });

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: change },
  { weight: 2, arbitrary: outage },
  fc.constant<Step>(({ server }) => server.endWatches()),
  fc.constant<Step>(({ server }) => server.silence()),
  fc.constant<Step>(({ server }) => server.bookmark()),
  failure.map(
    (error): Step =>
      ({ server }) =>
        void server.faults.push(error),
  ),
  fc.nat({ max: 40 }).map(
    (chunks): Step =>
      ({ server }) => {
        server.cutAfterChunks = chunks;
      },
  ),
  { weight: 2, arbitrary: fc.constant<Step>((fixture) => fixture.settle()) },
  fc.integer({ min: 1, max: 100_000 }).map(
    (time): Step =>
      (fixture) =>
        fixture.pass(time),
  ),
);

const scope = fc.constantFrom<NamespaceScope>(
  { type: "all" },
  { type: "namespaces", namespaces: ["one", "three"] },
  { type: "excluded", namespaces: ["two"] },
);

const settings = fc.record({
  scope,
  lists: fc.constantFrom<ListMethod>("whole", "streamed", "paged"),
  watchList: fc.boolean(),
  heartbeats: fc.boolean(),
  pageSize: fc.integer({ min: 1, max: 5 }),
  chunkSize: fc.constantFrom(20, 100, 1 << 16),
});

/** No fault is left, and so much time passes that a silent watch is noticed and a list made. */
async function heal(fixture: InformerFixture): Promise<void> {
  fixture.server.faults.length = 0;
  fixture.server.cutAfterChunks = Number.POSITIVE_INFINITY;
  await fixture.pass(1_200_000);
}

describe("an informer, whatever happens on the way", () => {
  it("ends up with what is on the server, and every handler has heard a history that leads there", async () => {
    const property = fc.asyncProperty(
      settings,
      fc.array(step, { maxLength: 60, size: "max" }),
      fc.nat({ max: 60 }),
      async (settings, steps, when) => {
        await using fixture = new InformerFixture(settings);
        await fixture.start();
        const late = new RecordingHandler();
        for (const [index, step] of steps.entries()) {
          if (index === when) fixture.informer.addEventHandler(late.handle);
          await step(fixture);
        }
        if (when >= steps.length) fixture.informer.addEventHandler(late.handle);
        await heal(fixture);
        fixture.assertInSync();
        assert.deepEqual(late.known, fixture.handler.known);
      },
    );
    await fc.assert(property, { numRuns: 200 });
  });

  it("asks no more often than its back-off lets it, however the server fails", async () => {
    const property = fc.asyncProperty(
      settings,
      fc.array(failure, { minLength: 300, maxLength: 300 }),
      async (settings, failures) => {
        await using fixture = new InformerFixture(settings);
        fixture.server.faults.push(...failures);
        await fixture.start();
        await fixture.pass(600_000);
        const reflectors = settings.scope.type === "namespaces" ? 2 : 1;
        // 0.8 s doubled to 30 s and half of it again: 26 times in ten minutes, and once without a stream.
        assert.ok(fixture.server.requests.length <= 27 * reflectors);
      },
    );
    await fc.assert(property, { numRuns: 30 });
  });
});
