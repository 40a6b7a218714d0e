import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { type Crd, changed, createRows, goodCrd, updateRows } from "../../../test/crd-rows.ts";
import { type Verdict, verdictOf } from "../../../test/kinds/apiextensions/crd-verdict.ts";

interface Answers {
  readonly create: Readonly<Record<string, Verdict>>;
  readonly update: Readonly<Record<string, Verdict>>;
  readonly established: Crd;
}

/** What kube-apiserver 1.34 said; the integration test asks it again. */
const answers = JSON.parse(
  readFileSync(new URL("../../../test/testdata/verdicts.json", import.meta.url), "utf8"),
) as Answers;

describe("a new CRD is judged as by kube-apiserver", () => {
  for (const [name, change] of Object.entries(createRows)) {
    it(name, () => assert.deepEqual(verdictOf(changed(goodCrd(), change)), answers.create[name]));
  }
});

describe("a changed CRD is judged as by kube-apiserver", () => {
  for (const [name, change] of Object.entries(updateRows)) {
    it(name, () => {
      const { established } = answers;
      assert.deepEqual(verdictOf(changed(established, change), established), answers.update[name]);
    });
  }
});
