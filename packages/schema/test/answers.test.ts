import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { compileSchema, type JSONObject } from "@rookery/schema";
import { recordedAnswers } from "./answers.ts";
import { schemas } from "./broken-schemas.ts";
import { features, rules, type Suite, statuses, structuralProblems } from "./suites.ts";
import { ourVerdict, type Verdict } from "./verdict.ts";

const answers = recordedAnswers<Verdict & readonly string[]>();

const asItIs = (object: JSONObject): JSONObject => object;
const suites: Readonly<Record<string, Suite>> = { features, rules, status: statuses };

for (const [name, { kind, cases, keep = asItIs }] of Object.entries(suites)) {
  describe(`what kube-apiserver answers about ${name}, this package answers`, () => {
    const schema = compileSchema(kind.schema);
    for (const [each, { stored, request }] of Object.entries(cases)) {
      test(each, () => {
        assert.deepEqual(ourVerdict(schema, request(keep(stored ?? {}))), answers[name]?.[each]);
      });
    }
  });
}

describe("what kube-apiserver says about schemas of CRDs, this package says", () => {
  for (const [name, schema] of Object.entries(schemas)) {
    test(name, () => assert.deepEqual(structuralProblems(schema), answers.schemas?.[name]));
  }
});
