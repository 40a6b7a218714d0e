import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { slowStart } from "./slow-start.ts";

describe("a slow start", () => {
  it("does all of it in batches that grow", async () => {
    const running: number[] = [];
    let now = 0;
    const outcome = await slowStart(10, async () => {
      now += 1;
      running.push(now);
      await Promise.resolve();
      now -= 1;
    });
    assert.deepEqual(outcome, { succeeded: 10, failure: undefined });
    assert.deepEqual(running, [1, 1, 2, 1, 2, 3, 4, 1, 2, 3]);
  });

  it("ends with the first batch in which something fails", async () => {
    const tried: number[] = [];
    const failure = new Error("no");
    const outcome = await slowStart(100, async (index) => {
      tried.push(index);
      if (index === 2) throw failure;
    });
    assert.deepEqual(outcome, { succeeded: 2, failure });
    assert.deepEqual(tried, [0, 1, 2]);
  });

  it("does nothing where nothing is to do", async () => {
    assert.deepEqual(await slowStart(0, () => assert.fail()), { succeeded: 0, failure: undefined });
  });
});
