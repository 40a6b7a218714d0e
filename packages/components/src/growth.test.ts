import { growing, pieces, testGrowth } from "@rookery/testing";
import { parseDocuments } from "./documents/documents.ts";
import { inspectVariables, replaceVariables } from "./variables/variables.ts";

const documents = (build: (size: number) => string) => growing({ build, run: parseDocuments });
const template = (build: (size: number) => string) =>
  growing({
    build,
    run: (text) => [inspectVariables(text), replaceVariables(text, () => "x")],
  });

testGrowth({
  "components of many keys": documents((n) => pieces(n, (i) => `k${i}: 1\n`)),
  "components of many keys in braces": documents((n) => `a: {${pieces(n, (i) => `k${i}: 1,`)}}`),
  "components of many documents": documents((n) => "---\na: 1\n".repeat(n)),
  "components of many anchors": documents(
    (n) => `a: [${pieces(n, (i) => `&a${i} 1,`)}]\nb: [${pieces(n, (i) => `*a${i},`)}]\n`,
  ),
  "components of many merge keys": documents(
    (n) => `a: &a {b: 1}\nc:\n${pieces(n, () => "  <<: *a\n")}`,
  ),
  "components of a text over many lines": documents((n) => `a: x\n${"  y\n".repeat(4 * n)}`),
  "components of quotes over many lines": documents(
    (n) => `a: "x\n${"  y\\\n".repeat(16 * n)}  z"\n`,
  ),
  "components of a line of escapes": documents((n) => `a: "${"\\\\".repeat(16 * n)}x\n  y"\n`),
  "components of a block of blank lines": documents((n) => `a: |\n${"\n".repeat(16 * n)}  y\n`),
  "components of blank lines": documents((n) => `a: x\n${"\n".repeat(4 * n)}b: 1\n`),
  "components of a text of blank lines": documents((n) => `a: x\n${"\n".repeat(4 * n)}  y\n`),
  "a template of many variables": template((n) => pieces(n, (i) => `\${A${i}:=x} `)),
  "a template of dollars": template((n) => "$".repeat(16 * n)),
  "a template of open brackets": template((n) => "${A:=".repeat(n)),
  "a template that ends nowhere": template((n) => `\${A:=${"x".repeat(32 * n)}`),
});
