import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, it } from "node:test";

const read = (path: string) => readFile(new URL(path, import.meta.url), "utf8");

describe("the page on writing a controller", () => {
  it("shows programs that the tests run", async () => {
    const programs = (await read("./brood-manager.ts")) + (await read("./nest-manager.ts"));
    const page = await read("../../../docs/runtime.md");
    const blocks = [...page.matchAll(/```ts\n(.*?)```/gs)].map(([, code = ""]) => code);
    assert.ok(blocks.length >= 5);
    for (const code of blocks) assert.ok(programs.includes(code), `no longer so:\n${code}`);
  });
});
