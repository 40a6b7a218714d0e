import assert from "node:assert/strict";
import { test } from "node:test";
import { FakeClock } from "@rookery/testing";
import { ExpiringCache } from "./expiring-cache.ts";

test("each value is kept for its own time", async () => {
  const clock = new FakeClock();
  const cache = new ExpiringCache<number>({ size: 10, now: clock.date });
  cache.set("a", 1, 10);
  cache.set("b", 2, 20);
  cache.set("c", 3, 0);
  await clock.advance(10);
  assert.deepEqual(
    ["a", "b", "c"].map((key) => cache.get(key)),
    [undefined, 2, undefined],
  );
});

test("beyond its size it forgets what was not asked for longest", () => {
  const cache = new ExpiringCache<number>({ size: 2, now: () => new Date(0) });
  cache.set("a", 1, 10);
  cache.set("b", 2, 10);
  cache.get("a");
  cache.set("c", 3, 10);
  assert.deepEqual(
    ["a", "b", "c"].map((key) => cache.get(key)),
    [1, undefined, 3],
  );
});
