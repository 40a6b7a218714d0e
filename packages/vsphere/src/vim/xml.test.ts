import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  childOf,
  childrenOf,
  parseXml,
  referenceOf,
  textAt,
  textOf,
  typeOf,
} from "./xml-reader.ts";
import { anyString, data, dataUnlessEmpty, escapeXml, reference, value } from "./xml-writer.ts";

describe("XML", () => {
  it("holds any text that XML can hold", () => {
    const text = fc
      .string({ unit: "grapheme" })
      .filter((one) => !escapeXml(one).includes("\ufffd"));
    fc.assert(
      fc.property(text, (content) => {
        const read = parseXml(`<a>${value("b", content)}${anyString("c", content)}</a>`);
        assert.equal(textAt(read, "a", "b"), content);
        assert.equal(textAt(read, "a", "c"), content);
      }),
    );
  });

  it("keeps blanks, line ends and text that looks like a number or an entity", () => {
    for (const content of [" a ", "\n", "a\r\nb", "007", "1e5", "true", "&amp;", "&#65;", "]]>"]) {
      assert.equal(textAt(parseXml(`<a>${escapeXml(content)}</a>`), "a"), content);
    }
  });

  it("replaces what XML cannot hold", () => {
    assert.equal(escapeXml("a\u0000b\u001fc"), "a\ufffdb\ufffdc");
  });

  it("leaves out what has no value", () => {
    assert.equal(value("a", undefined), undefined);
    assert.equal(reference("a", undefined), undefined);
    assert.equal(dataUnlessEmpty("a", [undefined]), undefined);
    assert.equal(
      data("a", [value("b", 0), undefined, value("c", false)]),
      "<a><b>0</b><c>false</c></a>",
    );
  });

  it("tells the type of a value from the type of the object that it refers to", () => {
    const read = parseXml(
      '<x:a xmlns:i="urn:i"><val i:type="vim:ManagedObjectReference" type="Folder">group-1</val></x:a>',
    );
    const found = childOf(read, "a", "val");
    assert.equal(typeOf(found), "ManagedObjectReference");
    assert.deepEqual(referenceOf(found), { type: "Folder", value: "group-1" });
  });

  it("has one child, several or none of a name", () => {
    const read = parseXml("<a><b>1</b><c>2</c><c>3</c><d/></a>");
    const names = ["b", "c", "d", "e"].map((name) =>
      childrenOf(childOf(read, "a"), name).map(textOf),
    );
    assert.deepEqual(names, [["1"], ["2", "3"], [""], []]);
  });
});
