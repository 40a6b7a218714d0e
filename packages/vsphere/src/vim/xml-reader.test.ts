import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseXml, xmlProblem } from "./xml-reader.ts";

const nested = (depth: number) => "<a>".repeat(depth) + "</a>".repeat(depth);

const refused: Record<string, [document: string, problem: RegExp]> = {
  "deeper than any answer": [nested(101), /deeper than 100/],
  "as deep as a stack": [nested(1_000_000), /deeper than 100/],
  "with more elements than any answer": [`<a>${"<b/>".repeat(100_000)}</a>`, /more than 100000/],
  "with entities of its own": ['<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', /declaration/],
  "with entities of its own, behind the first element": [
    '<a><!ENTITY b "c">&b;</a>',
    /declaration/,
  ],
  "with a tag as long as the answer": [`<a ${'x="y" '.repeat(20_000)}/>`, /markup without an end/],
  "with markup that does not end": ["<a><b", /markup without an end/],
  "with a comment that does not end": ["<a><!-- ", /markup without an end/],
};

const taken: Record<string, string> = {
  "of a usual form": '<?xml version="1.0"?><e:a xmlns:e="urn:e"><b c="d"/>text</e:a>',
  "with comments and data that look like elements": `<a><!-- ${nested(500)} --><![CDATA[${nested(500)}]]></a>`,
  "that is wide and not deep": `<a>${"<b>1</b>".repeat(50_000)}</a>`,
  "as deep as is taken": nested(100),
};

describe("a document of XML", () => {
  for (const [name, [document, problem]] of Object.entries(refused)) {
    it(`${name} is not parsed`, () => {
      assert.match(xmlProblem(document) ?? "", problem);
      assert.throws(() => parseXml(document), problem);
    });
  }

  for (const [name, document] of Object.entries(taken)) {
    it(`${name} is parsed`, () => {
      assert.equal(xmlProblem(document), undefined);
      parseXml(document);
    });
  }

  it("gives elements no way to the prototype of objects", () => {
    tryToParse("<a><__proto__><polluted>1</polluted></__proto__></a>");
    tryToParse(
      '<a __proto__="1"><constructor><prototype><polluted/></prototype></constructor></a>',
    );
    assert.equal("polluted" in {}, false);
  });
});

/** What is refused takes its time as well. */
function tryToParse(document: string): void {
  try {
    parseXml(document);
  } catch {
    // It is not XML.
  }
}
