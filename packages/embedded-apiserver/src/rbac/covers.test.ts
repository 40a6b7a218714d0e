import assert from "node:assert/strict";
import { test } from "node:test";
import type { PolicyRule } from "@rookery/api";
import { uncoveredRules } from "./covers.ts";

const texts = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, i) => `${prefix}${i}`);
const pods: PolicyRule = { verbs: ["get", "list"], apiGroups: [""], resources: ["pods"] };

test("a rule about all names is not covered by one about a name, however it is written", () => {
  const held = [{ ...pods, resourceNames: ["a"] }];
  assert.equal(uncoveredRules(held, [pods])?.length, 2);
  assert.equal(uncoveredRules(held, [{ ...pods, resourceNames: [] }])?.length, 2);
  assert.deepEqual(uncoveredRules(held, [{ ...pods, resourceNames: ["a"] }]), []);
  assert.deepEqual(uncoveredRules([{ ...pods, resourceNames: [] }], [pods]), []);
});

test("a rule that several rules cover together is covered", () => {
  const held = pods.verbs?.map((verb) => ({ ...pods, verbs: [verb] })) ?? [];
  assert.deepEqual(uncoveredRules(held, [pods]), []);
});

test("a rule about resources and URLs needs both", () => {
  const both = { ...pods, nonResourceURLs: ["/metrics"] };
  const held = { ...pods, nonResourceURLs: ["/*"] };
  assert.deepEqual(uncoveredRules([held], [both]), []);
  const missing = uncoveredRules([pods], [both])?.map(({ nonResourceURLs }) => nonResourceURLs);
  assert.deepEqual(missing, [["/metrics"], ["/metrics"]]);
});

test("a few kilobytes that stand for millions of rights are not checked one by one", () => {
  const wanted = [
    { verbs: texts(200, "v"), apiGroups: texts(200, "g"), resources: texts(200, "r") },
  ];
  assert.equal(uncoveredRules([pods], wanted), undefined);
  const all = [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"] }];
  assert.deepEqual(uncoveredRules(all, wanted), []);
});
