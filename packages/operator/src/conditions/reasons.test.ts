import assert from "node:assert/strict";
import { test } from "node:test";
import { readiness } from "./findings.ts";
import { conditionTypes, reasons } from "./reasons.ts";

test("every reason is in UpperCamelCase and has a sentence", () => {
  for (const type of conditionTypes) {
    for (const [reason, sentence] of Object.entries(reasons[type])) {
      assert.match(reason, /^([A-Z][a-z]+)+$/, `${type} ${reason}`);
      assert.match(sentence, /^\S.*\.$/, `${type} ${reason}`);
    }
  }
});

test("a provider is ready when nothing says otherwise, else for the first reason that does", () => {
  const well = { status: "True", reason: "Installed", message: "" } as const;
  const first = { status: "False", reason: "MissingVariables", message: "A" } as const;
  const second = { status: "False", reason: "PodsFailing", message: "B" } as const;
  assert.equal(readiness({ ProviderInstalled: well }).reason, "Ready");
  assert.deepEqual(readiness({ ProviderAvailable: second, ProviderFetched: first }), first);
});
