import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { reasons } from "@rookery/operator";

const docs = join(import.meta.dirname, "../../../docs");

test("docs/controllers/provider.md has all conditions and reasons, with what they mean", async () => {
  const text = await readFile(join(docs, "controllers/provider.md"), "utf8");
  const sections = text.split(/^### /m).slice(1);
  const documented = sections.map((section) => {
    const rows = [...section.matchAll(/^\| `(\w+)` \| (.+) \|$/gm)];
    return [/^\w+/.exec(section)?.[0], rows.map(([, reason, meaning]) => [reason, meaning])];
  });
  const declared = Object.entries(reasons).map(([type, rows]) => [type, Object.entries(rows)]);
  assert.deepEqual(documented, declared);
});
