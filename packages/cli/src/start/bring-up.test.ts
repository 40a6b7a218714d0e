import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { untilDone } from "./bring-up.ts";

describe("something that is tried until it succeeds", () => {
  it("is tried again after each failure, with the reason", async () => {
    const reasons: string[] = [];
    let count = 0;
    const attempt = async () => {
      count += 1;
      if (count < 3) throw new Error(`no answer ${count}`);
      return count;
    };
    const { signal } = new AbortController();
    assert.equal(await untilDone(attempt, { signal, onFailure: (why) => reasons.push(why) }), 3);
    assert.deepEqual(reasons, ["no answer 1", "no answer 2"]);
  });

  it("is given up when it is to end", async () => {
    const end = new AbortController();
    const attempt = () => Promise.reject(new Error("no answer"));
    const coming = untilDone(attempt, { signal: end.signal, onFailure: () => end.abort() });
    await assert.rejects(coming, { name: "AbortError" });
  });
});
