import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { importsIn } from "./imports.ts";
import { problemsOf } from "./problems.ts";
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

  const twoWay = imports("x/1.ts -> y/1.ts", "y/2.ts -> x/2.ts");

  it("are a problem unless they are known", () => {
    assert.deepEqual(problemsOf(twoWay, ["packages/a/src: x -> y"]), [
      "packages/a/src: y -> x, but x also depends on y\n  packages/a/src/y/2.ts imports packages/a/src/x/2.ts",
    ]);
  });

  it("have to leave the list of known ones when they are gone", () => {
    assert.deepEqual(problemsOf([], ["packages/a/src: x -> y"]), [
      'known-two-way.json: "packages/a/src: x -> y" no longer occurs: delete the entry',
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
      importsIn(text, "packages/a/src/x/1.ts").map(({ to }) => to),
      ["x/a.ts", "b.ts", "x/c.ts", "x/d.ts", "x/e.ts"].map((path) => `packages/a/src/${path}`),
    );
  });

  it("of test code are a problem in product code", () => {
    const [one] = imports("x/1.ts -> ../test/x/fake.ts");
    const from = one?.from ?? "";
    const to = "packages/a/test/x/fake.ts";
    assert.deepEqual(problemsOf([{ from, to }], []), [`${from} imports test code: ${to}`]);
  });
});
