import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { reasons } from "./conditions.ts";

type Types = Readonly<Record<string, Readonly<Record<string, string>>>>;

const docs = join(import.meta.dirname, "../../../docs/controllers");
const files = {
  NestedControlPlane: "nested-control-plane.md",
  NestedCluster: "nested-cluster.md",
  NestedEtcd: "nested-etcd.md",
  NestedAPIServer: "nested-apiserver.md",
  NestedControllerManager: "nested-controller-manager.md",
} as const satisfies Record<keyof typeof reasons, string>;

test("every reason is in UpperCamelCase and has a sentence", () => {
  for (const [kind, types] of Object.entries<Types>(reasons)) {
    for (const [type, rows] of Object.entries(types)) {
      for (const [reason, sentence] of Object.entries(rows)) {
        assert.match(reason, /^([A-Z]+[a-z]+)+$/, `${kind} ${type} ${reason}`);
        assert.match(sentence, /^\S.*\.$/, `${kind} ${type} ${reason}`);
      }
    }
  }
});

describe("docs/controllers has all conditions and reasons, with what they mean, of", () => {
  for (const kind of Object.keys(files) as (keyof typeof files)[]) {
    test(kind, () => {
      const path = join(docs, files[kind]);
      assert.ok(existsSync(path), path);
      const sections = readFileSync(path, "utf8").split(/^### /m).slice(1);
      const documented = sections.map((section) => {
        const rows = [...section.matchAll(/^\| `(\w+)` \| (.+) \|$/gm)];
        return [/^\w+/.exec(section)?.[0], rows.map(([, reason, meaning]) => [reason, meaning])];
      });
      const declared = Object.entries(reasons[kind]).map(([type, rows]) => [
        type,
        Object.entries(rows),
      ]);
      assert.deepEqual(documented, declared);
    });
  }
});
