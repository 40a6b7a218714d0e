import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, describe, it } from "node:test";
import { run } from "../../test/run.ts";
import { commands } from "../command.ts";
import { rookery } from "../program.ts";
import { helpTexts } from "./golden-texts.ts";

/** `npm run generate` writes them anew. */
const golden = (name: string) =>
  readFileSync(
    new URL(
      `../../test/golden/help/${name.replaceAll(" ", "-") || "rookery"}.txt`,
      import.meta.url,
    ),
    "utf8",
  );

describe("help", () => {
  let texts: ReadonlyMap<string, string>;
  before(async () => {
    texts = await helpTexts(rookery);
  });

  it("is the text that was agreed on", () => {
    for (const [name, text] of texts) {
      assert.equal(text, golden(name), `of "rookery ${name}"; "npm run generate" writes it anew`);
    }
  });

  it("has a usage and an example of every command", () => {
    for (const { name } of commands) {
      const text = texts.get(name) ?? "";
      assert.match(text, new RegExp(`^Usage: rookery ${name} ?`), name);
      assert.match(text, new RegExp(`^Examples:\n(.*\n)*?.*rookery ${name}`, "m"), name);
    }
  });

  it("is the same by all ways to ask for it", async () => {
    const { output } = await run("help local up");
    assert.equal(output, (await run("local up -h")).output);
    assert.equal((await run("help")).output, texts.get(""));
    assert.equal((await run("local")).output, texts.get("local"));
  });
});
