import { growing, pieces, testGrowth } from "@rookery/testing";
import { duplicateFields, strictProblemsOf } from "./duplicate-fields.ts";
import { describeJsonError } from "./json-error.ts";
import { parseJson } from "./parse-json.ts";
import { parseYaml } from "./parse-yaml.ts";

const deep = (levels: number, inner: string) =>
  `${'{"a":'.repeat(levels)}${inner}${"}".repeat(levels)}`;
const twice = (count: number) => `{${pieces(count, (i) => `"k${i}":1,"k${i}":1,`)}"z":1}`;

const texts: Readonly<Record<string, (count: number) => string>> = {
  "many keys": (n) => `{${pieces(n, (i) => `"k${i}":1,`)}"z":1}`,
  "many equal keys": (n) => `{${'"k":1,'.repeat(n)}"z":1}`,
  "many keys twice": twice,
  "many keys twice, deep inside": (n) => deep(400, twice(n)),
  "many keys twice below a long one": (n) => `{"${"x".repeat(n)}":${twice(n)}}`,
  "many keys twice in lists": (n) => `[${pieces(n, () => '{"a":1,"a":2},')}1]`,
  "deep lists": (n) => "[".repeat(n) + "]".repeat(n),
  "deep objects that do not end": (n) => '{"a":'.repeat(n),
  "many backslashes": (n) => `{"a":"${"\\\\".repeat(8 * n)}"}`,
  "many backslashes before a quote": (n) => `["${'\\\\\\"'.repeat(8 * n)}"]`,
  "a text that does not end": (n) => `["${"x".repeat(32 * n)}`,
  "a long number": (n) => `{"a":${"1".repeat(32 * n)}}`,
  "a long fraction": (n) => `{"a":0.${"1".repeat(32 * n)}}`,
  "many long numbers": (n) => `[${pieces(n, () => "12345678901234567890123,")}1]`,
  "much space": (n) => `[${" ".repeat(64 * n)}1]`,
  "many bad bytes": (n) => `["${"\ufffd".repeat(16 * n)}"`,
};

const encode = (text: string) => Buffer.from(text);
const readers: Readonly<Record<string, (text: string) => unknown>> = {
  "JSON read strictly": (text) => parseJson(encode(text), true),
  "JSON read as YAML": (text) => parseYaml(encode(text), true),
  "JSON that is wrong, described": (text) => describeJsonError(`${text}!`),
};

for (const [reader, run] of Object.entries(readers)) {
  testGrowth(
    Object.fromEntries(
      Object.entries(texts).map(([name, build]) => [
        `${reader}, with ${name}`,
        growing({ build, run }),
      ]),
    ),
  );
}

testGrowth({
  "bytes that are no text": growing({
    build: (n) => Buffer.alloc(16 * n, 0xff),
    run: (bytes) => parseJson(bytes, true),
  }),
  "fields that are unknown, deep inside": growing({
    build: (n) => ({
      text: deep(400, twice(n)),
      unknown: Array.from({ length: n }, (_, i) => `${"a.".repeat(400)}k${i}`),
    }),
    run: ({ text, unknown }) => strictProblemsOf(text, unknown),
  }),
  "fields that are there twice": growing({ build: twice, run: (text) => duplicateFields(text) }),
  "YAML whose keys are there twice": growing({
    build: (n) => encode(pieces(n, (i) => `k${i}: 1\nk${i}: 2\n`)),
    run: (body) => parseYaml(body, true),
  }),
  "YAML whose lines all hold a mistake": growing({
    build: (n) => encode("a: b: c\n".repeat(n)),
    run: (body) => parseYaml(body, true),
  }),
  "YAML of many indicators": growing({
    build: (n) => encode(`${`${"- ".repeat(999)}x\n`.repeat(Math.ceil(n / 500))}: `),
    run: (body) => parseYaml(body, true),
  }),
  "YAML of large numbers": growing({
    build: (n) => encode(pieces(n, (i) => `- ${i}12345678901234567890\n`)),
    run: (body) => parseYaml(body, true),
  }),
});
