import assert from "node:assert/strict";
import { describe, it, test } from "node:test";
import { formatFitted, formatPairs, formatParagraph, formatTable } from "./table.ts";

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
    formatFitted(
      ["A", "READY", "AGE", "WHY"],
      [["a-rather-long-name-of-it", "True", "3m", "-"]],
      30,
    ),
    "A\na-rather-long-name-of-it\n    READY: True   AGE: 3m\n",
    "short ones share a line",
  );
  assert.equal(
    formatFitted(["A", "B"], [["x", "a,b,c,d,e,f,g,h,i,j,k,l,m"]], 24),
    "A\nx\n    B: a, b, c, d, e, f,\n    g, h, i, j, k, l, m\n",
  );
});

test("a text beside a name goes on below itself at a terminal, or below its name where it has no room", () => {
  const pairs = [
    ["State", "running, and does not answer: no route"],
    ["Process", "12"],
  ] as const;
  const whole = "State     running, and does not answer: no route\nProcess   12\n";
  assert.equal(formatPairs(pairs), whole);
  assert.equal(formatPairs(pairs, { width: 80 }), whole);
  assert.equal(
    formatPairs(pairs, { width: 32 }),
    "State     running, and does not\n          answer: no route\nProcess   12\n",
  );
  assert.equal(
    formatPairs(pairs, { width: 28 }),
    "State\n    running, and does not\n    answer: no route\nProcess   12\n",
  );
  assert.equal(formatPairs([["A", "b"]], { indent: "- ", nameWidth: 3, gap: 1 }), "- A   b\n");
});

describe("a message is broken into lines", () => {
  const rows: Record<string, [text: string, lines: readonly string[]]> = {
    "nothing is one empty line": ["", [""]],
    "a short one stays as it is": ["all is ok", ["all is ok"]],
    "between words where it is too long": ["aaaa bbbb cccc", ["aaaa bbbb", "cccc"]],
    "a word that is too long stays whole": ["aaaaaaaaaaaaaa b", ["", "aaaaaaaaaaaaaa", "b"]],
    "its own lines stay lines": ["a\nb", ["a", "b"]],
    "what is indented stays indented": ["  aaaa bbbb cccc", ["  aaaa", "  bbbb", "  cccc"]],
    "items of a list continue below their text": ["* aaaa bbbb", ["* aaaa", "  bbbb"]],
  };
  for (const [name, [text, lines]] of Object.entries(rows)) {
    it(name, () => assert.deepEqual(formatParagraph(text, 10), lines));
  }
});
