import { growing, pieces, testGrowth } from "@rookery/testing";
import { parseYamlValues, type YamlOptions } from "./index.ts";

type Texts = Readonly<Record<string, (count: number) => string>>;

/**
 * Texts that the library reads in quadratic time by itself: at four thousand pieces each of these rows
 * fails with it, at a thousand not all do.
 */
const slowInTheLibrary: Texts = {
  "many keys": (n) => pieces(n, (i) => `k${i}: 1\n`),
  "many keys in braces": (n) => `{${pieces(n, (i) => `k${i}: 1,`)}}`,
  "many keys without a value": (n) => `{${pieces(n, (i) => `k${i},`)}}`,
  "many explicit keys": (n) => pieces(n, (i) => `? k${i}\n: 1\n`),
  "many keys that are maps": (n) => pieces(n, (i) => `? {a: ${i}}\n: 1\n`),
  "many anchors and aliases": (n) =>
    pieces(n, (i) => `k${i}: &a${i} 1\n`) + pieces(n, (i) => `l${i}: *a${i}\n`),
  "many aliases of one anchor": (n) => `a: &a 1\n${pieces(n, (i) => `k${i}: *a\n`)}`,
  "many anchors of one name": (n) => pieces(n, (i) => `k${i}: &a 1\nl${i}: *a\n`),
  "anchors inside of anchors": (n) => `${pieces(n, (i) => `- &a${i} [&b${i} [1], *b${i}]\n`)}`,
  "many merge keys": (n) => `a: &a {b: 1}\n${pieces(n, (i) => `k${i}: {<<: *a}\n`)}`,
  "many merge keys in a map": (n) => `a: &a {b: 1}\nc:\n${pieces(n, () => "  <<: *a\n")}`,
  "a long list to merge": (n) => `a: &a {b: 1}\nc: {<<: [${"*a,".repeat(n)}]}\n`,
  "an ordered map": (n) => `!!omap [${pieces(n, (i) => `k${i}: 1,`)}]`,
  "a set": (n) => `!!set {${pieces(n, (i) => `k${i},`)}}`,
  "many tags": (n) => pieces(n, (i) => `k${i}: !t${i} 1\n`),
  "tag directives over many documents": (n) =>
    `${pieces(n, (i) => `%TAG !t${i}! tag:x,${i}:\n`)}${"---\na: 1\n".repeat(n)}`,
  "comments between keys": (n) => pieces(n, (i) => `# c${i}\nk${i}: 1\n`),
  "a long time": (n) => `a: 1${":1".repeat(8 * n)}`,
  "many names of one node": (n) => `a: ${pieces(n, (i) => `&a${i} `)}1`,
};

/** Further texts of pieces that a reader might look at again for each of the others. */
const others: Texts = {
  "many equal keys": (n) => pieces(n, () => "k: 1\n"),
  "many pairs in a list": (n) => `[${pieces(n, (i) => `k${i}: 1,`)}]`,
  "many items": (n) => pieces(n, (i) => `- k${i}\n`),
  "aliases of aliases": (n) => `- &a0 [x]\n${pieces(n, (i) => `- &a${i + 1} [*a${i}, *a${i}]\n`)}`,
  "large maps to merge": (n) => {
    const side = Math.ceil(Math.sqrt(n));
    return `a: &a {${pieces(side, (i) => `k${i}: 1,`)}}\n${pieces(side, (i) => `b${i}: {<<: *a}\n`)}`;
  },
  "many tag directives": (n) => `${pieces(n, (i) => `%TAG !t${i}! tag:x,${i}:\n`)}---\na: 1\n`,
  "many other directives": (n) => `${pieces(n, (i) => `%FOO ${i}\n`)}---\na: 1\n`,
  "many documents": (n) => "---\na: 1\n".repeat(n),
  "many comments": (n) => `${pieces(n, (i) => `# c${i}\n`)}a: 1\n`,
  "many comments behind": (n) => `a: 1\n${pieces(n, (i) => `# c${i}\n`)}`,
  "comments in a list": (n) => `[\n${pieces(n, (i) => `# c${i}\n`)}1]\n`,
  "blank lines": (n) => `a: 1\n${"\n".repeat(n)}b: 1\n`,
  "lines of blanks": (n) => `a:\n${"    \n".repeat(n)}  b: 1\n`,
  "a long text": (n) => `a: ${"x ".repeat(32 * n)}`,
  "a text over many lines": (n) => `a: x\n${"  y\n".repeat(8 * n)}`,
  "a block of many lines": (n) => `a: |\n${"  y\n".repeat(8 * n)}`,
  "a folded block": (n) => `a: >\n${"  y\n   z\n".repeat(4 * n)}`,
  "a block of blank lines": (n) => `a: |\n${"\n".repeat(8 * n)}  y\n`,
  "quotes over many lines": (n) => `a: "${"x\n  ".repeat(8 * n)}"`,
  "quotes that do not end": (n) => `a: "${"x\n  ".repeat(8 * n)}`,
  "many escapes": (n) => `a: "${"\\n".repeat(16 * n)}"`,
  "many bad escapes on one line": (n) => `a: "${"\\q".repeat(n)}"`,
  "many errors on one line": (n) => `a: 1\n${"]".repeat(n)}`,
  "many errors": (n) => "a: b: c\n".repeat(n),
  "many commas": (n) => `[${",".repeat(n)}]`,
  "deep lists": (n) => "[".repeat(n) + "]".repeat(n),
  "deep maps that do not end": (n) => "{a: ".repeat(n),
  "deep dashes": (n) => `${"- ".repeat(n)}1`,
  "deep questions": (n) => `${"? ".repeat(n)}1`,
  "a long number": (n) => `a: ${"1".repeat(8 * n)}`,
  "a number that is none": (n) => `a: ${"1_".repeat(8 * n)}x`,
  "many tabs": (n) => `[${"\t\n".repeat(8 * n)}]`,
};

const options: YamlOptions = { version: "1.1", intAsBigInt: true };

function rowsOf(texts: Texts) {
  return Object.fromEntries(
    Object.entries(texts).map(([name, build]) => [
      `YAML with ${name}`,
      growing({ build, run: (text) => parseYamlValues(text, options) }),
    ]),
  );
}

testGrowth(rowsOf(slowInTheLibrary), 2);
testGrowth(rowsOf(others), 0.5);
