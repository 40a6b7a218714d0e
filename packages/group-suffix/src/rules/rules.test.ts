import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  cases,
  exampleMapping,
  exampleRules,
  realSide,
  virtualSide,
} from "../../test/rules/kinds.ts";
import { createJsonRenamers } from "../json/json-renamer.ts";
import { renameObject } from "../object/object-walker.ts";

const options = { mapping: exampleMapping, rules: exampleRules };
const { review: renamer } = createJsonRenamers(options);

describe("each kind is renamed in both directions", () => {
  for (const [name, { body, target }] of Object.entries(cases)) {
    const virtual = JSON.stringify(virtualSide(body));
    const real = JSON.stringify(realSide(body));
    const rename = (text: string) =>
      Buffer.from(renamer.rename(Buffer.from(text), target)).toString();

    it(`${name}, as bytes`, () => {
      assert.equal(rename(virtual), real);
      assert.equal(rename(real), virtual);
    });

    it(`${name}, with its keys in the opposite order`, () => {
      const reversed = JSON.stringify(reverseKeys(JSON.parse(virtual)));
      assert.equal(rename(reversed), JSON.stringify(reverseKeys(JSON.parse(real))));
      assert.equal(rename(rename(reversed)), reversed);
    });

    it(`${name}, split at every byte`, () => {
      const bytes = Buffer.from(JSON.stringify(reverseKeys(JSON.parse(virtual)), undefined, 2));
      const expected = JSON.stringify(reverseKeys(JSON.parse(real)), undefined, 2);
      for (let at = 0; at <= bytes.length; at++) {
        const stream = renamer.stream(target);
        const parts = [
          ...stream.push(bytes.subarray(0, at)),
          ...stream.push(bytes.subarray(at)),
          ...stream.end(),
        ];
        assert.equal(Buffer.concat(parts).toString(), expected);
      }
    });

    it(`${name}, byte for byte in pieces`, () => {
      const stream = renamer.stream(target);
      const parts = [...Buffer.from(virtual)].flatMap((byte) => stream.push(Uint8Array.of(byte)));
      assert.equal(Buffer.concat([...parts, ...stream.end()]).toString(), real);
    });

    if (target === undefined) {
      it(`${name}, as an object`, () => {
        const object = virtualSide(body) as object;
        assert.deepEqual(renameObject(object, options), realSide(body));
        assert.deepEqual(renameObject(realSide(body) as object, options), object);
        assert.deepEqual(object, virtualSide(body));
      });
    }
  }
});

/** The keys of every object from the last to the first; elements of lists keep their places. */
function reverseKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverseKeys);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).reverse();
  return Object.fromEntries(entries.map(([key, inner]) => [key, reverseKeys(inner)]));
}
