import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createGroupMapping } from "../mapping/group-mapping.ts";
import { applyEdits } from "./form.ts";
import { type OperationName, operationEdits } from "./operation-edits.ts";

const mapping = createGroupMapping([
  { virtual: "example.com", real: "team-1.3scale.net" },
  { virtual: "9lives.io", real: "argo.team2.org", match: "group" },
]);

const cases: Readonly<Record<string, [OperationName, string, string, string]>> = {
  "the name of an operation": [
    ...(["operationId", "stable.example.com"] as const),
    ...([
      "listStableExampleComV1NamespacedCronTab",
      "listStableTeam13scaleNetV1NamespacedCronTab",
    ] as const),
  ],
  "the name of an operation whose verb begins with another": [
    ...(["operationId", "a.example.com"] as const),
    ...(["deletecollectionAExampleComV1B", "deletecollectionATeam13scaleNetV1B"] as const),
  ],
  "a tag": ["tag", "stable.example.com", "stableExampleCom_v1", "stableTeam13scaleNet_v1"],
  "a tag without a version": ["tag", "a.example.com", "aExampleCom", "aTeam13scaleNet"],
  "a group that begins with a digit": ["tag", "9lives.io", "livesIo_v1", "argoTeam2Org_v1"],
  "a name after another group": [
    "operationId",
    "a.example.com",
    "listAppsV1Deployment",
    "listAppsV1Deployment",
  ],
  "a tag after another group": [
    "tag",
    "a.example.com",
    "aExampleCommunity_v1",
    "aExampleCommunity_v1",
  ],
};

describe("what operations are called after a group", () => {
  for (const [what, [name, group, text, expected]] of Object.entries(cases)) {
    it(`is renamed in both directions: ${what}`, () => {
      const rename = (each: string, of: string) =>
        applyEdits(each, operationEdits(each, { group: of, name }, mapping));
      assert.equal(rename(text, group), expected);
      assert.equal(rename(expected, mapping.swap(group)), text);
    });
  }
});
