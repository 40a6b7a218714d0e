import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { exampleMapping, exampleRules } from "../../test/rules/kinds.ts";
import { UnreadableBodyError } from "../errors.ts";
import { createJsonRenamers } from "../json/json-renamer.ts";

const { jsonPatch } = createJsonRenamers({ mapping: exampleMapping, rules: exampleRules });
const targets = {
  crontabs: { group: "a.example.com", version: "v1", resource: "crontabs" },
  roles: { group: "rbac.authorization.k8s.io", version: "v1", resource: "roles" },
  quotas: { group: "", version: "v1", resource: "resourcequotas" },
  indices: { group: "login.example.com", version: "v1", resource: "indices" },
  definitions: {
    group: "apiextensions.k8s.io",
    version: "v1",
    resource: "customresourcedefinitions",
  },
} as const;

describe("a JSON Patch", () => {
  const rows: Record<string, [target: keyof typeof targets, patch: string]> = {
    "of an apiVersion": ["crontabs", '{"op":"replace","path":"/apiVersion","value":"a.$V/v1"}'],
    "that tests": [
      "crontabs",
      '{"op":"test","path":"/metadata/ownerReferences/0/apiVersion","value":"a.$V/v1"}',
    ],
    "that adds a list": [
      "crontabs",
      '{"op":"add","path":"/metadata/ownerReferences","value":[{"apiVersion":"a.$V/v1","name":"a.$="}]}',
    ],
    "that adds to the end of a list": [
      "crontabs",
      '{"op":"add","path":"/metadata/ownerReferences/-","value":{"apiVersion":"a.$V/v1"}}',
    ],
    "with its value before its path": [
      "crontabs",
      '{"value":{"ownerReferences":[{"apiVersion":"a.$V/v1"}]},"path":"/metadata","op":"add"}',
    ],
    "with a path that is escaped": [
      "crontabs",
      '{"op":"add","path":"\\/\\u0061piVersion","value":"a.$V/v1"}',
    ],
    "of what kubectl applied last": [
      "crontabs",
      '{"op":"add","path":"/metadata/annotations/kubectl.kubernetes.io~1last-applied-configuration","value":"{\\"apiVersion\\":\\"a.$V/v1\\"}"}',
    ],
    "of another annotation": [
      "crontabs",
      '{"op":"add","path":"/metadata/annotations/a.$=~1b","value":"a.$="}',
    ],
    "of all": [
      "crontabs",
      '{"op":"replace","path":"","value":{"apiVersion":"a.$V/v1","kind":"CronTab","spec":{"a":"a.$="}}}',
    ],
    "of what no rule speaks of": [
      "crontabs",
      '{"op":"add","path":"/spec/apiVersion","value":{"apiVersion":"a.$=/v1","n":9007199254740993}}',
    ],
    "that removes": ["crontabs", '{"op":"remove","path":"/spec/a.$="}'],
    "of the rules of a Role": [
      "roles",
      '{"op":"add","path":"/rules/0/apiGroups/1","value":"a.$V"}',
    ],
    "of a whole rule of a Role": [
      "roles",
      '{"op":"add","path":"/rules/-","value":{"apiGroups":["a.$V"],"resourceNames":["x.a.$V"],"resources":["apiservices"]}}',
    ],
    "of a quota": [
      "quotas",
      '{"op":"add","path":"/spec/hard/count~1crontabs.a.$V","value":"a.$="}',
    ],
    "that moves in a quota": [
      "quotas",
      '{"op":"move","from":"/spec/hard/count~1a.b.$V","path":"/spec/hard/count~1c.b.$V"}',
    ],
    "of a declared field": [
      "indices",
      '{"op":"add","path":"/spec/template/apiVersion","value":"a.$V/v1"}',
    ],
    "of a part of a declared object": [
      "indices",
      '{"op":"add","path":"/spec/template/metadata/ownerReferences/0/apiVersion","value":"a.$V/v1"}',
    ],
    "of a name that holds no mapped group": [
      "roles",
      '{"op":"add","path":"/rules/0/resourceNames","value":["x","a.example.com"]}',
    ],
    "of a declared object": [
      "indices",
      '{"op":"add","path":"/spec/template","value":{"apiVersion":"a.$V/v1"}}',
    ],
    "of a definition": [
      "definitions",
      '{"op":"test","path":"/metadata/name","value":"crontabs.a.$V"}',
    ],
  };
  for (const [name, [target, operation]] of Object.entries(rows)) {
    it(`${name} is renamed by path and value, in both directions`, () => {
      const side = (suffix: string) =>
        `[${operation.replaceAll("$V", suffix).replaceAll("$=", "example.com")}]`;
      const rename = (text: string) =>
        Buffer.from(jsonPatch.rename(Buffer.from(text), targets[target])).toString();
      assert.equal(rename(side("example.com")), side("team1.org"));
      assert.equal(rename(side("team1.org")), side("example.com"));
    });
  }

  const ambiguous: Readonly<Record<string, [target: keyof typeof targets, patch: string]>> = {
    "one name of a Role's rule": ["roles", '{"path":"/rules/0/resourceNames/0","value":"x.a.$V"}'],
    "all names of a Role's rule": [
      "roles",
      '{"path":"/rules/0/resourceNames","value":["y","x.a.$V"]}',
    ],
    "the name of an owner": [
      "crontabs",
      '{"path":"/metadata/ownerReferences/0/name","value":"x.a.$V"}',
    ],
  };
  for (const [name, [target, operation]] of Object.entries(ambiguous)) {
    it(`of ${name}, which may hold a group or not, is refused with the way out`, () => {
      for (const suffix of ["example.com", "team1.org"]) {
        const patch = Buffer.from(`[${operation.replace("$V", suffix)}]`);
        assert.throws(() => jsonPatch.rename(patch, targets[target]), /patch all of what holds/);
      }
    });
  }

  it("that cannot be read is refused", () => {
    for (const text of ["[", '[{"op":"add","path":"/a","path":"/apiVersion","value":1}]', "{"]) {
      assert.throws(() => jsonPatch.rename(Buffer.from(text), targets.crontabs), Error);
    }
    const twice = '[{"path":"/a","path":"/apiVersion","value":"a.example.com/v1"}]';
    assert.throws(
      () => jsonPatch.rename(Buffer.from(twice), targets.crontabs),
      UnreadableBodyError,
    );
  });
});
