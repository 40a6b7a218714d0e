import assert from "node:assert/strict";
import { test } from "node:test";
import { formatTable } from "./table.ts";

test("columns are as wide as their longest cell", () => {
  assert.equal(
    formatTable(
      ["NAME", "READY"],
      [
        ["a-long-name", "True"],
        ["b", "False"],
      ],
    ),
    "NAME          READY\na-long-name   True\nb             False\n",
  );
});

test("colours take no room, and nothing is printed behind the last cell", () => {
  const red = "\u001b[31mbad\u001b[39m";
  assert.equal(
    formatTable(
      [],
      [
        [red, "x", ""],
        ["fine", "y", ""],
      ],
    ),
    `${red}    x\nfine   y\n`,
  );
});
