import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { exportedForTests } from "./exported-for-tests.ts";
import { importsOf } from "./imports.ts";
import { isOfTestCode, notAllowed } from "./problems.ts";
import { nameOf, twoWayDependencies } from "./two-way.ts";

/** Imports between files of `packages/a/src`, each as "from -> to". */
function imports(...lines: readonly string[]) {
  return lines.map((line) => {
    const [from, to] = line.split(" -> ").map((path) => `packages/a/src/${path}`);
    return { from: from ?? "", to: to ?? "" };
  });
}

const folders: Readonly<Record<string, readonly [imports: readonly string[], found: string[]]>> = {
  "finds two folders that import each other": [
    ["x/1.ts -> y/1.ts", "y/2.ts -> x/2.ts"],
    ["packages/a/src: x -> y", "packages/a/src: y -> x"],
  ],
  "finds a cycle of three": [
    ["x/1.ts -> y/1.ts", "y/1.ts -> z/1.ts", "z/2.ts -> x/2.ts"],
    ["packages/a/src: x -> y", "packages/a/src: y -> z", "packages/a/src: z -> x"],
  ],
  "finds siblings further down": [
    ["x/deep/y/1.ts -> x/deep/z/1.ts", "x/deep/z/2.ts -> x/deep/y/2.ts"],
    ["packages/a/src/x/deep: y -> z", "packages/a/src/x/deep: z -> y"],
  ],
  "counts a file for every folder above it": [
    ["x/deep/1.ts -> y/1.ts", "y/1.ts -> x/2.ts"],
    ["packages/a/src: x -> y", "packages/a/src: y -> x"],
  ],
  "names only what is part of the cycle": [
    ["x/1.ts -> y/1.ts", "y/2.ts -> x/2.ts", "w/1.ts -> x/1.ts", "y/1.ts -> z/1.ts"],
    ["packages/a/src: x -> y", "packages/a/src: y -> x"],
  ],
  "allows one direction": [["x/1.ts -> y/1.ts", "x/2.ts -> y/1.ts"], []],
  "allows files above both to import and to be imported": [
    ["index.ts -> x/1.ts", "x/1.ts -> errors.ts", "y/1.ts -> errors.ts", "errors.ts -> y/2.ts"],
    [],
  ],
  "allows two files of one folder": [["x/1.ts -> x/2.ts", "x/3.ts -> x/1.ts"], []],
};

describe("two-way dependencies between folders", () => {
  for (const [sentence, [lines, found]] of Object.entries(folders)) {
    it(sentence, () => {
      assert.deepEqual(twoWayDependencies(imports(...lines)).map(nameOf), found);
    });
  }
});

describe("a list of known problems", () => {
  const found = new Map([
    ["a", "a is wrong"],
    ["b", "b is wrong"],
  ]);

  it("allows what it names, and nothing else", () => {
    assert.deepEqual(notAllowed(found, ["a"]), ["b is wrong"]);
  });

  it("must lose an entry that no longer occurs", () => {
    assert.deepEqual(notAllowed(found, ["a", "b", "c"]), [
      'known.json: "c" no longer occurs: delete the entry',
    ]);
  });
});

describe("imports", () => {
  it("are found in every form that loads a relative path", () => {
    const text = `
      import { a } from "./a.ts";
      import type { B } from "../b.ts";
      import "./c.ts";
      export { d } from "./d.ts";
      const e = await import("./e.ts");
      import { f } from "@rookery/kube";`;
    assert.deepEqual(
      importsOf(new Map([["packages/a/src/x/1.ts", text]])).map(({ to }) => to),
      ["x/a.ts", "b.ts", "x/c.ts", "x/d.ts", "x/e.ts"].map((path) => `packages/a/src/${path}`),
    );
  });

  it("of test code are told apart by their paths", () => {
    const leads = (to: string) => isOfTestCode({ from: "packages/a/src/x.ts", to });
    assert.ok(leads("packages/a/test/x/fake.ts") && leads("packages/a/src/x.test.ts"));
    assert.ok(!leads("packages/a/src/test-server.ts") && !leads("packages/a/src/x/test/1.ts"));
  });
});

const exporting = `
  export { type A, a } from "./x/a.ts";
  export { b as c } from "./x/b.ts";`;
const users: Readonly<
  Record<string, readonly [files: Readonly<Record<string, string>>, string[]]>
> = {
  "nothing uses": [{}, ["x/a.ts", "x/b.ts"]],
  "the product code of another package imports, one by its new name": [
    { "packages/b/src/1.ts": 'import { type A, c } from "@rookery/a";' },
    [],
  ],
  "another package imports lazily": [
    { "packages/b/src/1.ts": 'const { a } = await import("@rookery/a");' },
    ["x/b.ts"],
  ],
  "the test harness imports": [
    { "packages/testing/src/1.ts": 'import { a, c } from "@rookery/a";' },
    ["x/a.ts", "x/b.ts"],
  ],
  "other files of the package import": [
    { "packages/a/src/y.ts": 'import { a } from "./x/a.ts";' },
    ["x/b.ts"],
  ],
};

describe("exports for tests alone", () => {
  for (const [sentence, [files, found]] of Object.entries(users)) {
    it(`are told apart from what ${sentence}`, () => {
      const sources = new Map(Object.entries({ "packages/a/src/index.ts": exporting, ...files }));
      const expected = found.map((file) => `packages/a/src/${file}`);
      assert.deepEqual(exportedForTests(sources, importsOf(sources)), expected);
    });
  }
});
