import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { describeValue } from "../../test/cel/describe-value.ts";
import type { JSONValue } from "../json.ts";
import type { JSONSchemaProps } from "../json-schema-props.ts";
import { buildNode } from "../structural-node.ts";
import { compile } from "./compile.ts";
import { Meter } from "./meter.ts";
import { declTypeOf, sizesOf } from "./schema/decl-type.ts";
import { ruleDeclarations } from "./schema/rule.ts";
import { toCelValue } from "./schema/schema-value.ts";
import { CelError } from "./values/value.ts";

interface Recorded {
  readonly rule: string;
  readonly compileError?: string;
  readonly type?: string;
  readonly value?: string;
  readonly error?: string;
  readonly cost?: number;
  readonly estimate?: readonly [number, number | "unbounded"];
}

interface Corpus {
  readonly schema: JSONSchemaProps;
  readonly self: JSONValue;
  readonly rules: readonly Recorded[];
}

const corpus: Corpus = JSON.parse(
  readFileSync(new URL("../../test/cel/testdata/corpus.json", import.meta.url), "utf8"),
);
const node = buildNode(corpus.schema);
const decl = declTypeOf(node, false);
assert.ok(decl);
const declarations = ruleDeclarations(decl, false);
const sizes = sizesOf(decl);

/** What we make of a rule, in the words of the recording. */
function evaluate({ rule }: Recorded): Recorded {
  const program = compile(rule, declarations, sizes);
  if (!("evaluate" in program)) {
    const prefix = program.phase === "instantiation" ? "program: " : "";
    return { rule, compileError: prefix + program.message };
  }
  const meter = new Meter(1_000_000);
  const value = program.evaluate(new Map([["self", toCelValue(corpus.self, node)]]), meter);
  const { min, max } = program.cost;
  return {
    rule,
    type: String(program.type),
    ...(value instanceof CelError ? { error: value.message } : { value: describeValue(value) }),
    cost: meter.cost,
    estimate: [min, max > Number.MAX_SAFE_INTEGER ? "unbounded" : max],
  };
}

describe("every rule of the corpus does what kube-apiserver's own libraries did with it", () => {
  for (const recorded of corpus.rules) {
    test(recorded.rule, () => {
      const ours = evaluate(recorded);
      const comparable =
        recorded.value === undefined && ours.value !== undefined
          ? { ...ours, value: undefined }
          : ours;
      assert.deepEqual(JSON.parse(JSON.stringify(comparable)), recorded);
    });
  }
});
