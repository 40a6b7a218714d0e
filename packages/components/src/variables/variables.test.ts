// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the templates under test are plain strings
import assert from "node:assert/strict";
import { test } from "node:test";
import { MissingVariablesError, SubstitutionError } from "../errors.ts";
import { inspectVariables, lookupIn, replaceVariables } from "./variables.ts";

const values = lookupIn({
  NAME: "rookery",
  PATH: "a/b/c",
  VERSION: "v1.13.6",
  EMPTY: "",
  WORD: "éa",
});

const replacements: Record<string, readonly [string, string]> = {
  "a variable is replaced": ["x-${NAME}-y", "x-rookery-y"],
  "spaces inside the braces do not count": ["${ NAME }${NAME }${ NAME}", "rookeryrookeryrookery"],
  "two dollars are one": ["$${NAME} $$ $NAME $", "${NAME} $ $NAME $"],
  "three dollars are one and a variable": ["$$${NAME}", "$rookery"],
  "a default stands for what is not set": ["${X:=d}${X:-d}${X=d}", "ddd"],
  "a default stands for what is empty": ["${EMPTY:=d}", "d"],
  "a default does not replace a value": ["${NAME:=d}", "rookery"],
  "a default may hold another variable": ["${X:=a-${NAME}-b}", "a-rookery-b"],
  "a default may hold a default": ["${X:=${Y:=z}}", "z"],
  "a default may hold almost anything": ["${X:=:8443, {a: b}", ":8443, {a: b"],
  "envsubst takes :? and :+ for defaults": ["${X:?d}${X:+d}", "dd"],
  "length counts bytes": ["${#NAME} ${#WORD}", "7 3"],
  "case changes": ["${NAME^}${NAME^^}${WORD^^}", "RookeryROOKERYÉA"],
  "case changes back": ["${VERSION^^} ${VERSION,,}", "V1.13.6 v1.13.6"],
  "parts are cut by offset": ["${NAME:4}|${NAME:0:4}|${NAME:-3}|${NAME:9}", "ery|rook|rookery|"],
  "the shortest beginning goes": ["${PATH#*/}", "b/c"],
  "the longest beginning goes": ["${PATH##*/}", "c"],
  "the shortest end goes": ["${PATH%/*}", "a/b"],
  "the longest end goes": ["${PATH%%/*}", "a"],
  "a set of characters matches": ["${VERSION#[a-z]}${VERSION#[^v]}", "1.13.6v1.13.6"],
  "a broken pattern changes nothing": ["${VERSION#[}", "v1.13.6"],
  "the first occurrence is replaced": ["${PATH/\\//-}", "a-b/c"],
  "each occurrence is replaced": ["${PATH//\\//-}", "a-b-c"],
  "occurrences are removed": ["${PATH//b/}", "a//c"],
  "a beginning is replaced": ["${NAME/#rook/crow}${NAME/#ery/x}", "croweryrookery"],
  "an end is replaced": ["${NAME/%ery/s}${NAME/%rook/x}", "rooksrookery"],
  "a replacement is no pattern": ["${NAME/rook/$&}", "$&ery"],
  "text without variables stays": ["plain: {}\n", "plain: {}\n"],
};
for (const [sentence, [template, expected]] of Object.entries(replacements)) {
  test(sentence, () => assert.equal(replaceVariables(template, values), expected));
}

test("all missing variables are reported together, by name", () => {
  const template = "${ZULU} ${ALPHA} ${ZULU} ${NAME} ${OTHER:=x} ${EMPTY} ${DEFAULT:=}";
  assert.throws(
    () => replaceVariables(template, values),
    (error) => {
      assert.ok(error instanceof MissingVariablesError);
      assert.deepEqual(error.missing, ["ALPHA", "DEFAULT", "ZULU"]);
      assert.match(error.message, /no value for ALPHA, DEFAULT, ZULU; set them in the Secret/);
      return true;
    },
  );
});

test("the first use of a variable decides whether it has a default", () => {
  assert.equal(replaceVariables("${X:=d}${X}", values), "d");
  assert.throws(() => replaceVariables("${X}${X:=d}", values), MissingVariablesError);
});

test("inspection lists variables with their defaults", () => {
  assert.deepEqual(inspectVariables("${B:=1} ${A} ${ C } ${D:=${E}x} $${F}"), [
    { name: "A" },
    { name: "B", default: "1" },
    { name: "C" },
    { name: "D", default: "${E}x" },
  ]);
});

const refusals: Record<string, readonly [string, RegExp]> = {
  "a brace that is never closed": ["a\nb: ${NAME", /missing closing brace in line 2$/],
  "a variable without a name": ["${}", /unable to parse variable name in line 1$/],
  "a name with a dash": ["${A-B}", /missing closing brace/],
  "a default that never ends": ["${A:=b", /unable to parse substitution within function/],
  "a pattern without its replacement": ["${A/b}", /bad substitution/],
};
for (const [sentence, [template, message]] of Object.entries(refusals)) {
  test(`${sentence} is refused with its line`, () => {
    const expected = (error: unknown) =>
      error instanceof SubstitutionError && message.test(error.message);
    assert.throws(() => replaceVariables(template, values), expected);
    assert.throws(() => inspectVariables(template), expected);
  });
}

test("the first source that has a value wins, even where the value is empty", () => {
  const lookup = lookupIn({ A: "secret", B: "" }, { A: "env", B: "env", C: "env" });
  assert.deepEqual(["A", "B", "C", "toString"].map(lookup), ["secret", "", "env", undefined]);
});
