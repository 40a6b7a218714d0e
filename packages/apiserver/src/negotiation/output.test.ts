import assert from "node:assert/strict";
import { test } from "node:test";
import { requestOf } from "../../test/asking.ts";
import { negotiateOutput, type Output, parseAccept } from "./output.ts";

const table = "application/json;as=Table;v=v1;g=meta.k8s.io";
const convert = { group: "meta.k8s.io", version: "v1", kind: "Table" };
const takesTables = (asked: typeof convert | undefined) =>
  asked === undefined || asked.kind === "Table";

const rows: Record<string, [accept: string, expected: Partial<Output>]> = {
  "nothing is JSON": ["", { mediaType: "application/json" }],
  "anything is JSON": ["*/*", { mediaType: "application/json" }],
  "a star alone is anything": ["*", { mediaType: "application/json" }],
  "any application": ["application/*", { mediaType: "application/json" }],
  YAML: ["application/yaml", { mediaType: "application/yaml" }],
  "what is better by quality": [
    "application/json;q=0.4, application/yaml;q=0.5",
    { mediaType: "application/yaml" },
  ],
  "what is more specific": ["*/*, application/yaml", { mediaType: "application/yaml" }],
  "what nobody knows is passed over": [
    "application/vnd.kubernetes.protobuf, */*",
    { mediaType: "application/json" },
  ],
  "a Table": [table, { mediaType: "application/json", convert }],
  "the first Table that there is": [`${table.replace("Table", "Chair")}, ${table}`, { convert }],
  "the object where there is no Table": [
    `${table.replace("Table", "Chair")}, application/yaml`,
    { mediaType: "application/yaml" },
  ],
  pretty: ["application/json;pretty=1", { pretty: true }],
  "a stream": ["application/json;stream=watch", { stream: "watch" }],
};

for (const [sentence, [accept, expected]] of Object.entries(rows)) {
  test(`what a client accepts: ${sentence}`, () => {
    const output = negotiateOutput(requestOf("/", { headers: { accept } }), (asked) =>
      takesTables(asked as typeof convert),
    );
    assert.deepEqual({ ...output, ...expected }, output);
  });
}

for (const accept of [
  "text/html",
  "foo",
  table.replace("v1", "v2;x=y=z"),
  "application/yaml;stream=watch",
]) {
  test(`what a client accepts and nobody can write: ${accept}`, () => {
    const request = requestOf("/", { headers: { accept } });
    assert.throws(() => negotiateOutput(request), {
      httpStatus: 406,
      message: "only the following media types are accepted: application/json, application/yaml",
    });
  });
}

test("people get indented answers, unless they ask for none", () => {
  const prettyFor = (target: string, userAgent: string) =>
    negotiateOutput(requestOf(target, { headers: { "user-agent": userAgent } })).pretty;
  assert.equal(prettyFor("/", "curl/8.0"), true);
  assert.equal(prettyFor("/?pretty=0", "curl/8.0"), false);
  assert.equal(prettyFor("/", "kubectl/v1.34"), false);
  assert.equal(prettyFor("/?pretty=true", "kubectl/v1.34"), true);
});

test("clauses of equal worth keep their order", () => {
  const subtypes = parseAccept("a/c;q=0.5, a/a, a/b, */*, a/*").map(({ subtype }) => subtype);
  assert.deepEqual(subtypes, ["a", "b", "*", "*", "c"]);
});
