import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";

const example = join(import.meta.dirname, "..");
const sources = globSync("src/**/*.ts", { cwd: example }).map((file) =>
  readFileSync(join(example, file), "utf8"),
);

describe("the pages on the example provider", () => {
  for (const page of ["add-a-provider.md", "add-a-kind.md"]) {
    it(`${page} shows code of the example`, () => {
      const text = readFileSync(join(example, "..", "..", "docs", page), "utf8");
      const blocks = [...text.matchAll(/```ts\n(.*?)```/gs)].map(([, code = ""]) => code);
      assert.ok(blocks.length >= 6);
      for (const code of blocks) {
        assert.ok(
          sources.some((source) => source.includes(code)),
          `not in the example:\n${code}`,
        );
      }
    });
  }
});
