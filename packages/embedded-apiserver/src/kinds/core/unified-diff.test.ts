import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { unifiedDiff } from "./unified-diff.ts";

const lines = (...items: (string | number)[]) => items.join("\n");
const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => String(from + i));

test("equal texts have no diff", () => {
  assert.equal(unifiedDiff(lines("a", "b"), lines("a", "b")), "");
});

test("a changed line stands between three others", () => {
  const old = lines(...numbers(1, 9));
  const text = lines(...numbers(1, 4), "x", ...numbers(6, 9));
  assert.equal(unifiedDiff(old, text), "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+x\n 6\n 7\n 8\n");
});

test("changes that lie far apart are told apart", () => {
  const old = lines(...numbers(1, 20));
  const text = lines("x", ...numbers(2, 19));
  assert.equal(
    unifiedDiff(old, text),
    "@@ -1,4 +1,4 @@\n-1\n+x\n 2\n 3\n 4\n@@ -17,4 +17,3 @@\n 17\n 18\n 19\n-20\n",
  );
});

test("a long text has one change from its first difference to its last", () => {
  const old = lines(...numbers(1, 5000));
  const text = lines(...numbers(1, 10), "x", ...numbers(12, 4990), "y", ...numbers(4992, 5000));
  const diff = unifiedDiff(old, text).split("\n");
  assert.equal(diff[0], "@@ -8,4987 +8,4987 @@");
  assert.deepEqual(diff.slice(1, 6), [" 8", " 9", " 10", "-11", "-12"]);
  assert.deepEqual(diff.slice(-5), ["+y", " 4992", " 4993", " 4994", ""]);
});

test("all lines of the new text are in the diff, or are as they were", () => {
  const text = fc.array(fc.constantFrom("a", "b", "c", "d"), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(text, text, (a, b) => {
      const diff = unifiedDiff(a.join("\n"), b.join("\n"));
      const count = (sign: string) =>
        diff.split("\n").filter((line) => line.startsWith(sign) && !line.startsWith("@@")).length;
      assert.equal(a.length - count("-"), b.length - count("+"));
    }),
  );
});
