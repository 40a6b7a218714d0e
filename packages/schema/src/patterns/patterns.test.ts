import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Pattern, patternSize } from "./pattern.ts";
import { PatternTime, PatternTimeExceeded } from "./pattern-time.ts";

describe("patternSize counts what a pattern becomes", () => {
  const rows: Record<string, [pattern: string, size: number]> = {
    "characters are counted": ["abc", 3],
    "a class is one, whatever is in it": ["[]a-z\\]{5}[:alpha:]x]", 1],
    "an escape is one": ["\\.\\p{Greek}\\x{10FFFF}", 3],
    "a repetition multiplies what it repeats": ["ab{1000}", 1002],
    "a group is repeated as a whole": ["(ab){3,5}", 21],
    "groups with flags or names are groups": ["(?i:ab)(?P<n>c)(?i)d", 8],
    "repetitions multiply each other": ["((a{10}){10}){10}", 1331],
    "what is open at the end counts": ["((a{10}", 11],
    "an unlimited repetition repeats once more than it must": ["a{3,}", 5],
  };
  for (const [name, [pattern, size]] of Object.entries(rows)) {
    it(name, () => assert.equal(patternSize(pattern), size));
  }

  it("takes one pass through whatever is open", () => {
    for (const part of ["[", "\\p{", "(", "{1", "[:a", "(?<a", "\\"]) {
      assert.ok(Number.isFinite(patternSize(part.repeat(15_000))));
    }
  });
});

describe("Pattern", () => {
  it("matches as RE2 does", () => {
    assert.equal(new Pattern("^\\pL+$").test("é"), true);
    assert.deepEqual([...new Pattern("a|ab").matches("abab")], ["a", "a"]);
  });

  const problems: Record<string, [pattern: string, problem: string]> = {
    "what RE2 does not have": [
      "(?=a)",
      "error parsing regexp: invalid or unsupported Perl syntax: `(?=`",
    ],
    "what is not closed": ["(a", "error parsing regexp: missing closing ): `(a`"],
    "too many repetitions": ["a{1001}", "error parsing regexp: invalid repeat count: `{1001}`"],
    "too many in all": ["x{1000}".repeat(21), "expression too large"],
  };
  for (const [name, [pattern, problem]] of Object.entries(problems)) {
    it(`refuses ${name}`, () => {
      assert.equal(new Pattern(pattern).problem, problem);
      assert.equal(new Pattern(pattern).test("xxxx"), false);
      assert.deepEqual([...new Pattern(pattern).matches("xxxx")], []);
    });
  }
});

describe("PatternTime", () => {
  /** A clock that goes on by so much whenever it is looked at. */
  const clock = (step: number) => {
    let now = 0;
    return () => (now += step);
  };

  it("lets quick patterns go on and on", () => {
    const time = new PatternTime(clock(0));
    for (let i = 0; i < 1000; i++) assert.equal(time.test(new Pattern("^a"), "ab"), true);
  });

  it("stops when patterns took too long together", () => {
    const time = new PatternTime(clock(450));
    assert.equal(time.compile(new Pattern("a")), "");
    assert.equal(time.test(new Pattern("a"), "a"), true);
    assert.equal(time.test(new Pattern("a"), "a"), true);
    assert.throws(() => time.test(new Pattern("a"), "a"), PatternTimeExceeded);
    assert.throws(() => time.compile(new Pattern("b")), PatternTimeExceeded);
  });

  it("stops among the matches of one pattern", () => {
    const time = new PatternTime(clock(450));
    assert.throws(() => time.matches(new Pattern("a"), "aaaaaa", 10), PatternTimeExceeded);
    assert.deepEqual(new PatternTime(clock(450)).matches(new Pattern("a"), "aaaaaa", 1), ["a"]);
  });

  it("does not even begin where pattern and text are both large", () => {
    const time = new PatternTime(clock(0));
    const pattern = new Pattern("(x?){1000}y");
    assert.throws(() => time.test(pattern, "x".repeat(100_000)), PatternTimeExceeded);
  });
});
