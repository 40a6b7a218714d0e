import assert from "node:assert/strict";
import { test } from "node:test";
import { formatFitted, formatTable } from "./table.ts";

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

test("at a terminal, columns that have no room are below their row, broken between words", () => {
  const header = ["TENANT", "NAMESPACES", "BY", "PROBLEMS"];
  const rows = [
    [
      "blue",
      "blue-dev,blue-prod",
      "InfrastructureProvider blue/vsphere",
      "Cluster blue-dev/a: NotAvailable",
    ],
    ["red", "red", "-", "-"],
  ];
  const whole = formatFitted(header, rows, undefined);
  assert.equal(whole, formatTable(header, rows));
  assert.equal(formatFitted(header, rows, 200), whole);
  assert.equal(
    formatFitted(header, rows, 40),
    `TENANT   NAMESPACES
blue     blue-dev,blue-prod
    BY: InfrastructureProvider
    blue/vsphere
    PROBLEMS: Cluster blue-dev/a:
    NotAvailable
red      red
`,
  );
  assert.equal(
    formatFitted(["A", "B"], [["x", "a,b,c,d,e,f,g,h,i,j,k,l,m"]], 24),
    "A\nx\n    B: a, b, c, d, e, f,\n    g, h, i, j, k, l, m\n",
  );
});
