import assert from "node:assert/strict";
import { it } from "node:test";
import { FakeClock } from "@rookery/testing";
import fc from "fast-check";
import { createExponentialRateLimiter } from "../queue/rate-limiter.ts";
import { createController } from "./controller.ts";
import type { RequestQueue } from "./request.ts";
import { done, type Result, requeue, requeueAfter } from "./result.ts";

/** A world of objects that change, and a controller that must end up having seen all of it. */
class World {
  readonly versions = new Map<string, number>();
  readonly seen = new Map<string, number>();
  readonly active = new Set<string>();

  change(name: string): void {
    this.versions.set(name, (this.versions.get(name) ?? 0) + 1);
  }

  /** Reads, waits wherever the scheduler wants, and ends in one of the ways there are. */
  async reconcile(name: string, wait: (label: string) => Promise<void>, how: number) {
    assert.ok(!this.active.has(name), `${name} is reconciled twice at a time`);
    this.active.add(name);
    try {
      const version = this.versions.get(name) ?? 0;
      await wait(`reading ${name}`);
      await wait(`writing ${name}`);
      if (how === 0) throw new Error("conflict");
      this.seen.set(name, version);
      return how === 1 ? requeue : how === 2 ? requeueAfter(1) : done;
    } finally {
      this.active.delete(name);
    }
  }
}

const names = ["a", "b", "c"];

it("in whatever order things happen, no object is reconciled twice at a time and no change is missed", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 15 }),
      fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 20 }),
      fc.integer({ min: 1, max: 4 }),
      async (scheduler, changes, endings, workers) => {
        const world = new World();
        const clock = new FakeClock();
        const { promise, resolve } = Promise.withResolvers<RequestQueue>();
        const reconcile = ({ name }: { readonly name: string }): Promise<Result> =>
          world.reconcile(
            name,
            (label) => scheduler.schedule(Promise.resolve(), label),
            endings.shift() ?? 5,
          );
        const controller = createController({
          name: "test",
          reconcile,
          clock,
          maxConcurrentReconciles: workers,
          rateLimiter: createExponentialRateLimiter(5, 1000),
          sources: [{ name: "changes", start: (queue) => resolve(queue) }],
        });
        const abort = new AbortController();
        const ended = controller.start(abort.signal);
        const queue = await promise;
        const events = changes.map((name) => ({
          label: `change ${name}`,
          builder: async () => {
            world.change(name);
            queue.add({ name });
          },
        }));
        scheduler.scheduleSequence(events);
        for (let round = 0; round < 40; round++) {
          await scheduler.waitIdle();
          await clock.advance(1000);
        }
        assert.deepEqual(world.seen, world.versions);
        abort.abort();
        await ended;
      },
    ),
    { numRuns: 50 },
  );
});
