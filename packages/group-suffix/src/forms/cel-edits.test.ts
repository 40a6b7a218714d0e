import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createGroupMapping } from "../mapping/group-mapping.ts";
import { type CelPlace, celEdits } from "./cel-edits.ts";
import { applyEdits } from "./form.ts";

const mapping = createGroupMapping([{ virtual: "example.dev", real: "team1.org" }]);
const virtual = "a.example.dev";
const real = "a.team1.org";

/** With $ for the group. */
const certain: Record<CelPlace, readonly string[]> = {
  admission: [
    "object.apiVersion == '$/v1'",
    'object.apiVersion == "$/v1" && object.kind == "CronTab"',
    "!(oldObject.apiVersion != '$/v1')",
    "'$' == request.resource.group || true",
    "request.kind.group in ['$', 'apps', '$']",
    "has(object.spec) ? params.apiVersion == '$/v1' : false",
    "object.apiVersion.startsWith('$/')",
    "!object.apiVersion.startsWith('$/')",
    "authorizer.group('$').resource('crontabs').check('get').allowed()",
    "object.items.exists(x, request.requestKind.group == '$')",
    "request.kind.group == '$' // whatever",
    "'\u00c3\u00a9' != object.kind && request.kind.group == '$'",
  ],
  schema: ["self.apiVersion == '$/v1'", "oldSelf.apiVersion in ['$/v1', '$/v2']"],
  part: [],
};

const uncertain: Record<CelPlace, readonly string[]> = {
  admission: [
    "object.metadata.labels['$'] == 'x'",
    "object.metadata.labels['$/x'] == 'x'",
    "object.spec.apiVersion == '$/v1'",
    "'x' + object.apiVersion == '$/v1'",
    "object.apiVersion == '$/v1' + 'beta1'",
    "object.apiVersion == '$/v1'.lowerAscii()",
    "object.apiVersion.endsWith('$/v1')",
    "object.apiVersion.startsWith('$')",
    "object.apiVersion.matches('$/.*')",
    "object.apiVersion == r'$/v1'",
    "object.apiVersion == '''$/v1'''",
    "object.kind != ''' ' || object.apiVersion == '$/v1' || ' '''",
    "object.apiVersion in ['$/v1'] + variables.others",
    "object.list.exists(object, object.apiVersion == '$/v1')",
    "variables.object.apiVersion == '$/v1'",
    "variables.authorizer.group('$')",
    "'object is not of $/v1'",
    "object.metadata.name == 'crontabs.$'",
    "self.apiVersion == '$/v1'",
    "object.kind == 'x' // object.apiVersion == '$/v1'",
    "object.metadata.finalizers.exists(f, f == '$/f')",
  ],
  schema: ["self.spec.apiVersion == '$/v1'", "object.apiVersion == '$/v1'"],
  part: ["self.apiVersion == '$/v1'"],
};

const places = ["admission", "schema", "part"] as const;

describe("CEL", () => {
  for (const place of places) {
    for (const text of certain[place]) {
      it(`of ${place} is renamed there and back: ${text}`, () => {
        const [inApp, inCluster] = [virtual, real].map((group) => text.replaceAll("$", group));
        for (const [from, to] of [
          [inApp, inCluster],
          [inCluster, inApp],
        ] as const) {
          const { certain: edits, uncertain: rest } = celEdits(from ?? "", place, mapping);
          assert.equal(applyEdits(from ?? "", edits), to);
          assert.deepEqual(rest, []);
        }
      });
    }
    for (const text of uncertain[place]) {
      it(`of ${place} stays as it is, and names a group: ${text}`, () => {
        const found = celEdits(text.replaceAll("$", virtual), place, mapping);
        assert.deepEqual(found.certain, []);
        assert.equal(found.uncertain.length > 0, true);
      });
    }
  }

  it("that names no mapped group has nothing to rename", () => {
    const none = { certain: [], uncertain: [] };
    assert.deepEqual(celEdits("object.apiVersion == 'apps/v1'", "admission", mapping), none);
  });
});
