import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { emptyStore } from "../../test/kinds/core/core-kind.ts";
import { builtInKinds } from "./built-in-kinds.ts";

const page = readFileSync(join(import.meta.dirname, "../../../../docs/embedded.md"), "utf8");
/** The kinds of a group, by its row in the table of kinds. */
const [, table = ""] = /^\| group \| kinds(.*?)^$/ms.exec(page) ?? [];
const rows = new Map(
  [...table.matchAll(/^\| ([a-z0-9.]+) \| (.*) \|$/gm)].map(([, group = "", kinds = ""]) => [
    group,
    kinds,
  ]),
);
const kinds = builtInKinds({
  store: emptyStore,
  now: () => new Date(),
  serviceCidr: "10.0.0.0/24",
});

describe("docs/embedded.md", () => {
  for (const { group, kind, status, scale } of kinds) {
    it(`names ${kind} of ${group || "core"}, and whether it has a status and a scale`, () => {
      const row = rows.get(group || "core") ?? "";
      const [, parts = ""] = new RegExp(`\\b${kind}\\b(?: \\(([^)]*)\\))?`).exec(row) ?? [];
      assert.match(row, new RegExp(`\\b${kind}\\b`));
      assert.equal(parts.includes("status"), status !== undefined);
      assert.equal(parts.includes("scale"), scale !== undefined);
    });
  }
});
