import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { updateAt, updateStrings, updateText, valuesAt } from "./update-at.ts";

const tree = { a: [{ b: ["x", "y"] }, { c: 1 }, { b: "no list" }], "d.e": "z" };

describe("a path", () => {
  it("leads into every element of lists, and past what is not there", () => {
    assert.deepEqual(valuesAt(tree, "a[].b[]"), ["x", "y"]);
    assert.deepEqual(valuesAt(tree, "a[].q.r"), []);
  });

  it("changes what it leads to, and nothing of what was given", () => {
    const before = structuredClone(tree);
    const changed = updateAt(tree, "a[].b[]", (text) => `${text}!`);
    assert.deepEqual(changed.a[0], { b: ["x!", "y!"] });
    assert.equal(changed.a[1], tree.a[1]);
    assert.deepEqual(tree, before);
  });

  it("has keys with dots as steps of their own", () => {
    assert.equal(updateText(tree, ["d.e"], () => "w")["d.e"], "w");
  });

  it("gives the same tree where nothing changes", () => {
    assert.equal(
      updateAt(tree, "a[].b[]", (text) => text),
      tree,
    );
    assert.equal(
      updateText(tree, "a[].c", () => "text"),
      tree,
    );
    assert.equal(
      updateStrings(tree, (text) => text),
      tree,
    );
  });
});

it("texts are changed by the field that holds them", () => {
  const changed = updateStrings(tree, (text, { key }) => (key === "b" ? `${text}!` : text));
  assert.deepEqual(changed, { a: [{ b: ["x!", "y!"] }, { c: 1 }, { b: "no list!" }], "d.e": "z" });
});
