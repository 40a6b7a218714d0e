import assert from "node:assert/strict";
import { test } from "node:test";
import { didYouMean, nearestName } from "./nearest-name.ts";

const names = ["move", "local up", "local status", "shards"];
const meant: Readonly<Record<string, string | undefined>> = {
  mvoe: "move",
  mov: "move",
  "local u": "local up",
  "local stauts": "local status",
  shard: "shards",
  fly: undefined,
  "": undefined,
};
for (const [given, name] of Object.entries(meant)) {
  test(`"${given}" is nearest to ${name ?? "nothing"}`, () => {
    assert.equal(nearestName(given, names), name);
  });
}

test("a near name is suggested, and none where the typed one is known or none is near", () => {
  assert.equal(didYouMean("mvoe", names), "; did you mean move?");
  assert.equal(didYouMean("move", names), "");
  assert.equal(didYouMean("fly", names), "");
});
