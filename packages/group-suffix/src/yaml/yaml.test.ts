import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parse, stringify } from "yaml";
import {
  cases,
  exampleMapping,
  exampleRules,
  realSide,
  virtualSide,
} from "../../test/rules/kinds.ts";
import { UnreadableBodyError } from "../errors.ts";
import { createYamlRenamer } from "./rename-yaml.ts";

const renamer = createYamlRenamer({ mapping: exampleMapping, rules: exampleRules });
const mapped = { group: "a.example.com", version: "v1", resource: "crontabs" };
const rename = (text: string, target?: typeof mapped) =>
  Buffer.from(renamer.rename(Buffer.from(text), target)).toString();

describe("YAML", () => {
  for (const [name, { body, target }] of Object.entries(cases)) {
    it(`renames ${name} in both directions`, () => {
      const virtual = virtualSide(body);
      const there = renamer.rename(Buffer.from(stringify(virtual)), target);
      assert.deepEqual(parse(Buffer.from(there).toString()), realSide(body));
      const back = renamer.rename(there, target);
      assert.deepEqual(parse(Buffer.from(back).toString()), virtual);
    });
  }

  const rows: Record<string, [body: string, expected: string]> = {
    "keeps comments, quotes and order": [
      "# mine\nkind: CronTab # yes\n'apiVersion': \"a.example.com/v1\"\nmetadata:\n- a\n...\n",
      "# mine\nkind: CronTab # yes\n'apiVersion': \"a.team1.org/v1\"\nmetadata:\n- a\n...\n",
    ],
    "renames each of several documents": [
      "apiVersion: a.example.com/v1\n---\nkind: Pod\n---\n{apiVersion: 'a.example.com/v1'}\n",
      "apiVersion: a.team1.org/v1\n---\nkind: Pod\n---\n{apiVersion: 'a.team1.org/v1'}\n",
    ],
    "renames keys": [
      "kind: ResourceQuota\napiVersion: v1\nspec:\n  hard:\n    count/x.a.example.com: 1\n    pods: 2\n",
      "kind: ResourceQuota\napiVersion: v1\nspec:\n  hard:\n    count/x.a.team1.org: 1\n    pods: 2\n",
    ],
    "takes JSON for what it is": [
      '{"apiVersion":"a.example.com/v1","spec":{"a":1.0}}',
      '{"apiVersion":"a.team1.org/v1","spec":{"a":1.0}}',
    ],
    "takes braces that are no JSON": [
      "{apiVersion: a.example.com/v1, spec: {a: 1.0}}\n",
      "{apiVersion: a.team1.org/v1, spec: {a: 1.0}}\n",
    ],
    "keeps numbers that JavaScript cannot hold": [
      "apiVersion: a.example.com/v1\nspec: 9007199254740993\n",
      "apiVersion: a.team1.org/v1\nspec: 9007199254740993\n",
    ],
  };
  for (const [name, [body, expected]] of Object.entries(rows)) {
    it(name, () => assert.equal(rename(body), expected));
  }

  it("renames what is written once and meant twice only where it names a group", () => {
    const text = "apiVersion: &v a.example.com/v1\nspec: *v\n";
    assert.deepEqual(parse(rename(text)), {
      apiVersion: "a.team1.org/v1",
      spec: "a.example.com/v1",
    });
  });

  it("keeps large numbers where it has to be written anew", () => {
    const text = "apiVersion: &v a.example.com/v1\nspec: {a: *v, b: 9007199254740993}\n";
    assert.match(rename(text), /"b": 9007199254740993 /);
  });

  it("renames a block of text", () => {
    const text =
      "kind: Status\napiVersion: v1\nmessage: |\n  a.example.com\n  is gone\ncode: 404\n";
    assert.deepEqual(parse(rename(text)), { ...parse(text), message: "a.team1.org\nis gone\n" });
  });

  it("is the very same array where nothing matches", () => {
    for (const text of ["kind: Pod\n", "data: a.example.com/v1\n", ""]) {
      const body = Buffer.from(text);
      assert.equal(renamer.rename(body, mapped), body);
    }
  });

  it("that cannot be read is refused, and shows nothing of itself", () => {
    for (const text of [
      "a: [",
      "a: b: c",
      "\tx",
      "a: *none",
      Buffer.from([0xff]).toString("latin1"),
    ]) {
      const body = Buffer.from(`apiVersion: a.example.com/v1\ntoken: secret\n${text}`, "latin1");
      assert.throws(
        () => renamer.rename(body, mapped),
        (error) => {
          assert.ok(error instanceof UnreadableBodyError);
          assert.doesNotMatch(error.message, /secret/);
          return true;
        },
      );
    }
  });

  it("that expands without end is refused", () => {
    const levels = Array.from(
      { length: 12 },
      (_, i) => `a${i}: &a${i} [${`*a${i - 1},`.repeat(9)}x]`,
    );
    const text = `a0: &a0 [x]\n${levels.slice(1).join("\n")}\napiVersion: a.example.com/v1\n`;
    assert.throws(() => rename(text, mapped), UnreadableBodyError);
  });

  it("in pieces is renamed at its end", () => {
    const stream = renamer.stream(mapped);
    assert.deepEqual(stream.push(Buffer.from("apiVersion: a.exam")), []);
    assert.deepEqual(stream.push(Buffer.from("ple.com/v1\n")), []);
    assert.equal(Buffer.concat(stream.end()).toString(), "apiVersion: a.team1.org/v1\n");
  });
});
