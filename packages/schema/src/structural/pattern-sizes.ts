import { FieldError, type FieldPath } from "@rookery/kube";
import { append } from "../append.ts";
import { Issues } from "../cel/syntax/issues.ts";
import { tokenize } from "../cel/syntax/lexer.ts";
import { Source } from "../cel/syntax/source.ts";
import type { JSONSchemaProps } from "../json-schema-props.ts";
import { patternSize } from "../patterns/pattern-size.ts";
import { childSchemas } from "./supported-fields.ts";

/** To compile this much takes a second. */
const MAX_TOTAL_SIZE = 200_000;

/**
 * Refuses a schema with so many, or so large, patterns that compiling them would hold the process.
 * Kubernetes knows no such limit; an honest schema is far below it.
 */
export function checkPatternSizes(schema: JSONSchemaProps, path: FieldPath): FieldError[] {
  let total = 0;
  const schemas = [schema];
  for (let next = schemas.pop(); next; next = schemas.pop()) {
    total += sizeOf(next);
    append(schemas, childSchemas(next));
  }
  if (total <= MAX_TOTAL_SIZE) return [];
  return [FieldError.invalid(path, "", "the regular expressions of the schema are too large")];
}

function sizeOf(schema: JSONSchemaProps): number {
  const rules = schema["x-kubernetes-validations"] ?? [];
  const literals = rules.flatMap(({ rule = "", messageExpression = "" }) => [
    ...literalsOf(rule),
    ...literalsOf(messageExpression),
  ]);
  const texts = schema.pattern === undefined ? literals : [...literals, schema.pattern];
  return texts.reduce((sum, text) => sum + patternSize(text), 0);
}

/** The literals of a rule that could be patterns. */
function literalsOf(rule: string): readonly string[] {
  if (!/\.(?:matches|find)/.test(rule)) return [];
  const source = new Source(rule);
  const tokens = tokenize(source, new Issues(source));
  return tokens.flatMap(({ kind, text }) => (kind === "string" ? [text] : []));
}
