import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createTextRenamer, renameText } from "../../test/object/rename-text.ts";
import { createGroupMapping } from "../mapping/group-mapping.ts";
import type { Form } from "./form.ts";

const mapping = createGroupMapping([
  { virtual: "example.com", real: "team1.org" },
  { virtual: "argoproj.io", real: "argo.team2.org", match: "group" },
]);

/** Each text becomes the other, from either side. */
const pairs: Record<Exclude<Form, "lastApplied" | "base64JsonPatch">, [string, string][]> = {
  group: [
    ["stable.example.com", "stable.team1.org"],
    ["argoproj.io", "argo.team2.org"],
  ],
  apiVersion: [
    ["stable.example.com/v1", "stable.team1.org/v1"],
    ["argoproj.io/v1alpha1", "argo.team2.org/v1alpha1"],
  ],
  resourceName: [
    ["crontabs.stable.example.com", "crontabs.stable.team1.org"],
    ["count/crontabs.stable.example.com", "count/crontabs.stable.team1.org"],
    ["rollouts.argoproj.io", "rollouts.argo.team2.org"],
  ],
  versionedGroup: [["v1.stable.example.com", "v1.stable.team1.org"]],
  groupResource: [["stable.example.com.crontabs", "stable.team1.org.crontabs"]],
  modelName: [
    ["com.example.stable.v1.CronTab", "org.team1.stable.v1.CronTab"],
    ["io.argoproj.v1alpha1.Rollout", "org.team2.argo.v1alpha1.Rollout"],
  ],
  modelReference: [
    ["#/definitions/com.example.stable.v1.CronTab", "#/definitions/org.team1.stable.v1.CronTab"],
  ],
  path: [
    ["/apis/stable.example.com/v1/crontabs", "/apis/stable.team1.org/v1/crontabs"],
    ["apis/stable.example.com/v1", "apis/stable.team1.org/v1"],
    [
      "/openapi/v3/apis/stable.example.com/v1?hash=A",
      "/openapi/v3/apis/stable.team1.org/v1?hash=A",
    ],
    ["/apis/stable.example.com*", "/apis/stable.team1.org*"],
  ],
  message: [
    [
      'crontabs.stable.example.com "x" is forbidden: User "u" cannot get resource "crontabs" in API group "stable.example.com"',
      'crontabs.stable.team1.org "x" is forbidden: User "u" cannot get resource "crontabs" in API group "stable.team1.org"',
    ],
    [
      'no matches for kind "A" in version "b.example.com/v1"',
      'no matches for kind "A" in version "b.team1.org/v1"',
    ],
    ["CronTab.v1.stable.example.com is gone.", "CronTab.v1.stable.team1.org is gone."],
    ["It is in stable.example.com.", "It is in stable.team1.org."],
    ['rollouts.argoproj.io "x" not found', 'rollouts.argo.team2.org "x" not found'],
  ],
  kindsInYaml: [
    ["group: a.example.com\nkind: B\nversion: v1\n", "group: a.team1.org\nkind: B\nversion: v1\n"],
    [
      "- kind: B\n  group: a.example.com\n- group: apps\n",
      "- kind: B\n  group: a.team1.org\n- group: apps\n",
    ],
  ],
};

const untouched: Record<keyof typeof pairs, string[]> = {
  group: ["", "example.com", "apps", "x.prefixed-example.com", "x.argoproj.io", "a.example.com.b"],
  apiVersion: ["v1", "apps/v1", "example.com/v1", "", "/", "stable.example.com"],
  resourceName: ["crontabs", "crontabs.example.com", "x-stable.example.com", "requests.storage"],
  versionedGroup: ["v1.apps", "v1.", "v1.example.com"],
  groupResource: ["apps.deployments", "core.pods", "example.com.crontabs", "crontabs"],
  modelName: ["io.k8s.api.core.v1.Pod", "com.example.v1.CronTab", "CronTab", ""],
  modelReference: ["#/definitions/io.k8s.api.core.v1.Pod", "#/definitions/"],
  path: ["/apis", "/api/v1", "/apis/apps/v1", "/healthz", "*", "/x/apis/stable.example.com"],
  message: [
    "",
    "see https://stable.example.com/help or write to a@stable.example.com",
    'pods "example.com" not found',
    "stable.example.community",
    "dex.argoproj.io/v1",
  ],
  kindsInYaml: ['group: ""\nkind: a.example.com\n', "list\n", "subgroup: a.example.com"],
};

for (const form of Object.keys(pairs) as (keyof typeof pairs)[]) {
  describe(`a text that is a ${form}`, () => {
    for (const [virtual, real] of pairs[form]) {
      it(`swaps ${virtual}`, () => {
        assert.equal(renameText(virtual, form, mapping), real);
        assert.equal(renameText(real, form, mapping), virtual);
      });
    }
    for (const text of untouched[form]) {
      it(`leaves ${JSON.stringify(text)}`, () => {
        assert.equal(renameText(text, form, mapping), text);
      });
    }
  });
}

describe("a document in a text", () => {
  it("is renamed as what kubectl applied last, byte for byte and back", () => {
    const applied = (suffix: string) =>
      `{"apiVersion":"a.${suffix}/v1","kind":"CronTab","metadata":{"name":"é\\u003c"},"spec":{"n":1.0}}\n`;
    assert.equal(renameText(applied("example.com"), "lastApplied", mapping), applied("team1.org"));
    assert.equal(renameText(applied("team1.org"), "lastApplied", mapping), applied("example.com"));
    assert.equal(
      renameText("{apiVersion: a.example.com/v1", "lastApplied", mapping),
      "{apiVersion: a.example.com/v1",
    );
  });

  it("is renamed as a JSON Patch of a webhook", () => {
    const patch = (suffix: string) =>
      Buffer.from(`[{"op":"add","path":"/apiVersion","value":"a.${suffix}/v1"}]`).toString(
        "base64",
      );
    assert.equal(renameText(patch("example.com"), "base64JsonPatch", mapping), patch("team1.org"));
  });

  it("is renamed along declared rules", () => {
    const rename = createTextRenamer({
      mapping,
      rules: [{ group: "a.example.com", kind: "CronTab", path: "spec.ref", form: "group" }],
    });
    const applied = (suffix: string) =>
      `{"apiVersion":"a.${suffix}/v1","kind":"CronTab","spec":{"ref":"b.${suffix}"}}`;
    assert.equal(rename(applied("example.com"), "lastApplied"), applied("team1.org"));
  });
});
