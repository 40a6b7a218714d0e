import { FieldError, type FieldPath, fieldPath } from "@rookery/kube";
import { append } from "../append.ts";
import { Issues, Source } from "../cel/syntax/issues.ts";
import { tokenize } from "../cel/syntax/lexer.ts";
import { NestingError } from "../errors.ts";
import { assertNesting, type JSONValue } from "../json.ts";
import type { JSONSchemaProps } from "../json-schema-props.ts";
import { patternSize } from "../patterns/pattern.ts";
import { buildNode } from "../structural-node.ts";
import { checkDefaults } from "./defaults.ts";
import { checkInvariants } from "./invariants.ts";
import { checkOpenApi } from "./open-api.ts";
import { RuleCosts } from "./rule-costs.ts";
import { childSchemas, ROOT_FIELDS, unsupportedField } from "./supported-fields.ts";

export interface StructuralOptions {
  /** The path of the schema in the CRD: `spec.versions[0].schema`. */
  readonly path?: FieldPath;
  /** A status subresource restricts the root of the schema. */
  readonly statusSubresource?: boolean;
}

/**
 * The errors of kube-apiserver for the openAPIV3Schema of a new CRD: schemas that are not
 * structural, invalid defaults, and rules that do not compile or cost too much.
 */
export function checkStructural(
  schema: JSONSchemaProps,
  options: StructuralOptions = {},
): readonly FieldError[] {
  const parent = options.path ?? fieldPath("schema");
  const path = parent.child("openAPIV3Schema");
  const excess = checkExcess(schema, path);
  if (excess.length > 0) return excess;
  const root = [
    ...(options.statusSubresource ? checkRootFields(schema, parent) : []),
    ...(schema.nullable
      ? [
          FieldError.forbidden(
            parent.child("openAPIV3Schema.nullable"),
            "nullable cannot be true at the root",
          ),
        ]
      : []),
  ];
  return [...root, ...checkSchema(schema, path, root.length > 0)];
}

/** Limits that protect this process. */
function checkExcess(schema: JSONSchemaProps, path: FieldPath): FieldError[] {
  try {
    assertNesting(schema as unknown as JSONValue, "schema");
    buildNode(schema);
  } catch (error) {
    if (!(error instanceof NestingError)) throw error;
    return [FieldError.invalid(path, "", error.message)];
  }
  return checkPatternSizes(schema, path);
}

function checkSchema(schema: JSONSchemaProps, path: FieldPath, refused: boolean): FieldError[] {
  const unsupported = unsupportedField(schema);
  const structural = unsupported === undefined ? checkNodes(schema, path) : [];
  const costs = structural.length === 0 && unsupported === undefined ? new RuleCosts() : undefined;
  const found = [...structural, ...checkOpenApi(schema, path, costs)];
  // Shown only if there are no other, clearer errors.
  if (unsupported !== undefined && found.length === 0 && !refused) {
    return [FieldError.invalid(path, "", unsupported)];
  }
  return [...found, ...(costs?.totalErrors(path) ?? [])];
}

function checkNodes(schema: JSONSchemaProps, path: FieldPath): FieldError[] {
  const invariants = checkInvariants(schema, path);
  if (invariants.length > 0) return invariants;
  return checkDefaults(buildNode(schema, { untypedIntOrString: true }), path);
}

function checkRootFields(schema: JSONSchemaProps, parent: FieldPath): FieldError[] {
  const path = parent.child("openAPIV3Schema");
  if (schema.type !== undefined && schema.type !== "object") {
    const problem =
      'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
    return [FieldError.invalid(parent.child("openAPIV3Schema.type"), schema.type, problem)];
  }
  const strange = Object.keys(schema).some((name) => name !== "type" && !ROOT_FIELDS.has(name));
  if (!strange) return [];
  const names = [...ROOT_FIELDS.values()].join(" ");
  const problem = `only [${names}] fields are allowed at the root of the schema if the status subresource is enabled`;
  return [FieldError.invalid(path, schema, problem)];
}

/** Takes a second to compile. */
const MAX_TOTAL_SIZE = 200_000;

/**
 * Rejects schemas whose patterns would block the process during compilation. Kubernetes has no
 * such limit; ordinary schemas are far below it.
 */
function checkPatternSizes(schema: JSONSchemaProps, path: FieldPath): FieldError[] {
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

/** The literals of a rule that may be patterns. */
function literalsOf(rule: string): readonly string[] {
  if (!/\.(?:matches|find)/.test(rule)) return [];
  const source = new Source(rule);
  const tokens = tokenize(source, new Issues(source));
  return tokens.flatMap(({ kind, text }) => (kind === "string" ? [text] : []));
}
