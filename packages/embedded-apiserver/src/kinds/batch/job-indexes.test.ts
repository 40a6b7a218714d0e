import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { countIndexes, firstOverlap } from "./job-indexes.ts";

describe("indexes of a job", () => {
  const problems: Record<string, [text: string, problem: string | undefined]> = {
    "may be none": ["", undefined],
    "may be single ones and intervals": ["0,2-4", undefined],
    "are numbers": ["a", 'cannot convert string to integer for index: "a"'],
    "have an end where there is a hyphen": ["1-", 'cannot convert string to integer for index: ""'],
    "have two limits at most": [
      "1-2-3",
      "the fragment \"1-2-3\" violates the requirement that an index interval can have at most two parts separated by '-'",
    ],
    "are below the completions": ["5", 'too large index: "5"'],
    "are in order": ["2,1", "non-increasing order, previous: 2, current: 1"],
    "go forward in an interval": ["3-2", "non-increasing order, previous: 3, current: 2"],
  };
  for (const [name, [text, problem]] of Object.entries(problems)) {
    it(name, () => {
      const counted = countIndexes(text, 5);
      assert.equal(typeof counted === "string" ? counted : undefined, problem);
    });
  }

  it("are counted one by one, whatever intervals they are written as", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(200), { maxLength: 50 }), (indexes) => {
        const text = indexes.sort((a, b) => a - b).join(",");
        assert.equal(countIndexes(text, 201), indexes.length);
      }),
    );
  });

  it("overlap at the first one that both lists have", () => {
    assert.equal(firstOverlap("0-3,7", "2,5", 10), 2);
    assert.equal(firstOverlap("0,2,4", "1,3,5", 10), undefined);
    assert.equal(firstOverlap("oops,4", "4", 10), 4);
  });
});
