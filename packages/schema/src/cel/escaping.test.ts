import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { escapedKeyword, escapePropertyName, unescapePropertyName } from "./escaping.ts";

describe("names of properties in rules", () => {
  const rows: Record<string, [name: string, escaped: string | undefined]> = {
    "an identifier stays": ["fooBar_1", "fooBar_1"],
    "a reserved word is wrapped": ["namespace", "__namespace__"],
    "a word that only begins with a reserved one stays": ["inside", "inside"],
    "a dash has a name": ["a-b", "a__dash__b"],
    "a dot has a name": ["a.b", "a__dot__b"],
    "a slash has a name": ["a/b", "a__slash__b"],
    "two underscores have a name": ["a__b", "a__underscores__b"],
    "three underscores are two and one": ["a___b", "a__underscores___b"],
    "what begins with a dash can be written": ["-x", "__dash__x"],
    "what begins with a digit can't": ["1x", undefined],
    "what has other characters can't": ["a b", undefined],
    "an empty name can't": ["", undefined],
    "letters of other scripts can't": ["é", undefined],
  };
  for (const [name, [property, escaped]] of Object.entries(rows)) {
    it(name, () => {
      assert.equal(escapePropertyName(property), escaped);
      if (escaped !== undefined) assert.equal(unescapePropertyName(escaped), property);
    });
  }

  it("what no name is escaped to stands for nothing", () => {
    assert.equal(unescapePropertyName("__unknown__"), undefined);
    assert.equal(unescapePropertyName("a__namespace__"), undefined);
  });

  it("keywords may also be written as they are", () => {
    assert.equal(escapedKeyword("namespace"), "__namespace__");
    assert.equal(escapedKeyword("self"), undefined);
  });
});
