import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ownRefusal, recordedRefusals, suites } from "./differential-answers.ts";

const recorded = recordedRefusals();

describe("bad requests are answered as a real kube-apiserver once answered them", () => {
  for (const [suite, { rows, handler }] of Object.entries(suites)) {
    for (const [sentence, row] of Object.entries(rows)) {
      test(`${suite}: ${sentence}`, async () => {
        assert.deepEqual(await ownRefusal(row, handler()), recorded[suite]?.[sentence]);
      });
    }
  }
});
