import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { RuleNode } from "../../rules/rule-node.ts";
import { forgetBytes, skipMembers, structureEnd } from "./scanner.ts";

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc
    .array(fc.constantFrom("\\", '"', "{", "}", "[", "]", "a"), { maxLength: 40 })
    .map((letters) => {
      return letters.join("");
    }),
);
const { structure } = fc.letrec<{ value: unknown; structure: object }>((tie) => ({
  value: fc.oneof({ maxDepth: 6 }, text, fc.constantFrom(1, null, true), tie("structure")),
  structure: fc.oneof(
    fc.array(tie("value"), { maxLength: 5 }),
    fc.dictionary(text, tie("value"), { maxKeys: 5 }),
  ),
}));

function endOf(source: string, from = 0): number {
  forgetBytes();
  const bytes = Buffer.from(source);
  return structureEnd(bytes, from, bytes.length);
}

describe("The end of an object or a list", () => {
  it("is found wherever it begins, and whatever follows", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 70 }), structure, text, (before, object, after) => {
        const source = Buffer.from(before + JSON.stringify(object) + after);
        const from = Buffer.byteLength(before);
        forgetBytes();
        const end = structureEnd(source, from, source.length);
        assert.equal(end, from + Buffer.byteLength(JSON.stringify(object)));
      }),
    );
  });

  it("is not found before all of it is there", () => {
    fc.assert(
      fc.property(structure, fc.nat(), (object, cut) => {
        const bytes = Buffer.from(JSON.stringify(object));
        forgetBytes();
        assert.equal(structureEnd(bytes, 0, cut % bytes.length), -1);
      }),
    );
  });

  for (const backslashes of [0, 1, 2, 3, 15, 16, 17, 31, 32, 33, 64]) {
    it(`is not mistaken after ${backslashes} backslashes, at any distance`, () => {
      for (let distance = 0; distance < 34; distance++) {
        const string = `${"a".repeat(distance)}${"\\".repeat(backslashes)}"}]`;
        const source = `${JSON.stringify([string, { a: string }])},{}`;
        assert.equal(endOf(source), source.length - 3);
      }
    });
  }

  it("is none where a brace closes a list, or the other way round", () => {
    assert.equal(endOf('["a"}'), -1);
    assert.equal(endOf('{"a":"b"]'), -1);
    assert.equal(endOf(`[${"[],".repeat(20)}[]}`), -1);
  });

  it("is looked for elsewhere where a value is too long to be seen at once", () => {
    assert.equal(endOf(JSON.stringify(["a".repeat(16 * 1024)])), -1);
  });

  it("is found beyond what was seen together with values before it", () => {
    const items = Array.from({ length: 100 }, (_, n) => JSON.stringify({ n, a: "a".repeat(1000) }));
    const bytes = Buffer.from(items.join(","));
    forgetBytes();
    let from = 0;
    for (const item of items) {
      assert.equal(structureEnd(bytes, from, bytes.length), from + item.length);
      from += item.length + 1;
    }
  });

  it("is that of what an array holds now", () => {
    const bytes = Buffer.from('["a","b"]');
    forgetBytes();
    structureEnd(bytes, 0, bytes.length);
    bytes.write('[] "a","b');
    forgetBytes();
    assert.equal(structureEnd(bytes, 0, bytes.length), 2);
  });
});

describe("Members that no rule speaks of", () => {
  const filterOf = (...keys: string[]) =>
    keys.reduce((node, key) => node.set(key, new RuleNode()), new RuleNode()).keyFilter;
  const rest = (source: string, filter: number) => {
    forgetBytes();
    const bytes = Buffer.from(source);
    return bytes.subarray(skipMembers(bytes, 1, bytes.length, filter)).toString();
  };

  it("are passed over up to the end of their object", () => {
    const key = fc.stringMatching(/^[a-z ]{0,40}$/);
    const literal = fc.oneof(fc.constantFrom(null, true, false), fc.integer({ min: 1 }));
    const plainValue = fc.oneof(text, structure, literal);
    fc.assert(
      fc.property(fc.dictionary(key, plainValue, { minKeys: 1 }), (object) => {
        assert.equal(rest(JSON.stringify(object), 0), "}");
      }),
    );
  });

  const stops: Readonly<Record<string, [source: string, rest: string]>> = {
    "a key that a rule speaks of": ['{"a":"b","kind":"c"}', '"kind":"c"}'],
    "a number that begins with zero": ['{"a":10,"c":0}', '"c":0}'],
    "a number below zero": ['{"a":true,"c":-1}', '"c":-1}'],
    "a number that is not whole": ['{"a":null,"c":1.5}', '"c":1.5}'],
    "a number that may go on": ['{"a":false,"c":12', '"c":12'],
    "a word that is none": ['{"a":true,"c":falsy}', '"c":falsy}'],
    "a word that goes on": ['{"a":1,"c":truer}', '"c":truer}'],
    "a number before a space": ['{"a":1,"c":1 }', '"c":1 }'],
    "a key with an escape": ['{"a":"b","k\\u0069nd":"c"}', '"k\\u0069nd":"c"}'],
    "a key that is followed by a space": ['{"a":"b","c" :"d"}', '"c" :"d"}'],
    "a value that does not end": ['{"a":"b","c":"d', '"c":"d'],
    "a value whose last byte is an escape": ['{"a":"b","c":"d\\', '"c":"d\\'],
    "a value after which nothing is in sight": ['{"a":"b","c":"d"', '"c":"d"'],
    "a list that does not end": ['{"a":"b","c":[{"d":"e"}', '"c":[{"d":"e"}'],
    "a key that does not end": ['{"a":"b","c', '"c'],
    "what is no key": ['{"a":"b", "c":"d"}', ' "c":"d"}'],
    "nothing after a comma": ['{"a":"b",', ""],
  };
  for (const [name, [source, expected]] of Object.entries(stops)) {
    it(`are passed over up to ${name}`, () => {
      assert.equal(rest(source, filterOf("kind")), expected);
    });
  }

  it("are those of whose keys no bit is in the filter", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-zA-Z0-9]{1,40}$/), (key) => {
        const source = `{"${key}":"b"}`;
        assert.equal(rest(source, filterOf(key)), source.slice(1));
      }),
    );
  });
});
