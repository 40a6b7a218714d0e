import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import {
  difference,
  emptySet,
  type FieldNode,
  type FieldSet,
  fieldNode,
  forEachPath,
  hasPath,
  intersection,
  recursiveDifference,
  setOfPaths,
  union,
} from "./field-set.ts";
import { formatFieldsV1, parseFieldsV1 } from "./managers.ts";
import { printPath } from "./path-element.ts";

const element = fc.constantFrom("f:a", "f:b", 'k:{"name":"a"}', 'v:"x"', "v:1", "i:0");
const { set } = fc.letrec<{ set: FieldSet }>((tie) => ({
  set: fc
    .array(fc.tuple(element, fc.boolean(), fc.option(tie("set"), { nil: emptySet, maxDepth: 3 })), {
      maxLength: 4,
    })
    .map((entries) => {
      const nodes = new Map<string, FieldNode>();
      for (const [key, isMember, below] of entries) {
        const node = fieldNode(isMember, below);
        if (node) nodes.set(key, node);
      }
      return nodes;
    }),
}));

function pathsOf(fields: FieldSet): string[] {
  const paths: string[] = [];
  forEachPath(fields, (path) => paths.push(JSON.stringify(path)));
  return paths.sort();
}

const same = (a: FieldSet, b: readonly string[]) => assert.deepEqual(pathsOf(a), [...b].sort());

describe("sets of fields", () => {
  const check = (judge: (a: FieldSet, b: FieldSet) => void) =>
    fc.assert(fc.property(set, set, judge));

  test("a union has what is in either", () => {
    check((a, b) => same(union(a, b), [...new Set([...pathsOf(a), ...pathsOf(b)])]));
  });

  test("an intersection has what is in both", () => {
    check((a, b) =>
      same(
        intersection(a, b),
        pathsOf(a).filter((path) => pathsOf(b).includes(path)),
      ),
    );
  });

  test("a difference has what is in the first only", () => {
    check((a, b) =>
      same(
        difference(a, b),
        pathsOf(a).filter((path) => !pathsOf(b).includes(path)),
      ),
    );
  });

  test("a recursive difference takes along what is below", () => {
    const isBelow = (path: string, other: string) =>
      path === other || path.startsWith(`${other.slice(0, -1)},`);
    check((a, b) => {
      const others = pathsOf(b);
      const left = pathsOf(a).filter((path) => !others.some((other) => isBelow(path, other)));
      same(recursiveDifference(a, b), left);
    });
  });

  test("none has a node without a member", () => {
    const assertTidy = (fields: FieldSet): void => {
      for (const { isMember, below } of fields.values()) {
        assert.ok(isMember || below.size > 0);
        assertTidy(below);
      }
    };
    check((a, b) => {
      for (const each of [
        union(a, b),
        intersection(a, b),
        difference(a, b),
        recursiveDifference(a, b),
      ]) {
        assertTidy(each);
      }
    });
  });

  test("fieldsV1 is read as it was written", () => {
    check((a) => assert.deepEqual(parseFieldsV1(formatFieldsV1(a)), a));
  });

  test("a path is found where it was put", () => {
    const fields = setOfPaths([["metadata", "name"], ["spec"]]);
    assert.ok(hasPath(fields, ["f:metadata", "f:name"]));
    assert.ok(hasPath(fields, ["f:spec"]));
    assert.ok(!hasPath(fields, ["f:metadata"]));
    assert.ok(!hasPath(fields, []));
  });
});

describe("fieldsV1", () => {
  test("is written in kube-apiserver's order", () => {
    const fields = {
      "v:2": {},
      "i:1": {},
      "v:10": {},
      'k:{"port":443}': { ".": {}, "f:port": {} },
      'k:{"port":80}': {},
      "f:b": {},
      "f:a": {},
      'v:"x"': {},
      "v:true": {},
    };
    assert.deepEqual(Object.keys(formatFieldsV1(parseFieldsV1(fields))), [
      "f:a",
      "f:b",
      'k:{"port":80}',
      'k:{"port":443}',
      "v:2",
      "v:10",
      'v:"x"',
      "v:true",
      "i:1",
    ]);
  });

  test("brings keys into one form", () => {
    const parsed = parseFieldsV1({ 'k:{"b": "<", "a": 1.0}': {} });
    assert.deepEqual([...parsed.keys()], ['k:{"a":1,"b":"\\u003c"}']);
  });

  const readable: Record<string, [fields: unknown, paths: readonly string[]]> = {
    "nothing at all": [undefined, []],
    "a field with nothing below it": [{ "f:a": {} }, [".a"]],
    "a field and what is below it": [{ "f:a": { ".": {}, "f:b": {} } }, [".a", ".a.b"]],
    "only what is below": [{ "f:a": { "f:b": {} } }, [".a.b"]],
    "an element that nobody knows": [{ "x:a": {}, "f:a": { "y:": {} } }, [".a"]],
  };
  for (const [sentence, [fields, expected]] of Object.entries(readable)) {
    test(`can be read: ${sentence}`, () => {
      const paths: string[] = [];
      forEachPath(parseFieldsV1(fields), (path) => paths.push(printPath(path)));
      assert.deepEqual(paths, expected);
    });
  }

  const unreadable: Record<string, unknown> = {
    "a text": "x",
    "a field that is a number": { "f:a": 1 },
    "a key without a type": { a: {} },
    "a key without a colon": { fa: {} },
    "keys that are no JSON": { "k:{": {} },
    "an index that is no number": { "i:x": {} },
  };
  for (const [sentence, fields] of Object.entries(unreadable)) {
    test(`can't be read: ${sentence}`, () => {
      assert.throws(() => parseFieldsV1(fields), SyntaxError);
    });
  }
});
