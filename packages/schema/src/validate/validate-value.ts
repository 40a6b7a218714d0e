import type { Correlation } from "../correlation.ts";
import {
  canonicalJson,
  getOwn,
  isArray,
  isObject,
  type JSONObject,
  type JSONValue,
} from "../json.ts";
import type { PatternTime } from "../patterns/pattern-time.ts";
import type { SchemaNode } from "../schema-node.ts";
import { checkAllOf, checkAnyOf, checkNot, checkOneOf } from "./combinations.ts";
import { checkNumber, checkString } from "./validate-number.ts";
import { checkType } from "./validate-type.ts";
import type { ValuePath } from "./value-path.ts";
import {
  Findings,
  forbiddenProperty,
  invalid,
  missing,
  notInEnum,
  tooMany,
  wrongType,
} from "./violation.ts";

/**
 * Validates as kube-openapi does. With a correlation, unchanged values pass; that does not apply
 * within allOf and its siblings.
 */
export function validateValue(node: SchemaNode, value: JSONValue, at: Place): Findings {
  const findings = value === null ? validateNull(node, at.path) : validateNonNull(node, value, at);
  return !findings.valid && at.correlation?.unchanged ? findings.forgiven() : findings;
}

interface Place {
  readonly path: ValuePath;
  readonly patternTime: PatternTime;
  readonly correlation?: Correlation | undefined;
}

function validateNull(node: SchemaNode, path: ValuePath): Findings {
  const findings = new Findings();
  const violation = checkType(node, null, path);
  if (violation) findings.add(violation);
  else findings.match();
  checkEnum(node, null, { path, findings });
  return findings;
}

function validateNonNull(node: SchemaNode, value: Exclude<JSONValue, null>, at: Place): Findings {
  const { path } = at;
  const findings = new Findings();
  const typed = node.types.length > 0 || node.constraints.format !== undefined;
  if (typed) {
    const violation = checkType(node, value, path);
    if (violation) findings.add(violation);
    else findings.match();
    findings.match();
  }
  validateCombinations(node, value, { ...at, findings });
  validateByType(node, value, { ...at, findings });
  checkEnum(node, value, { path, findings });
  findings.match();
  if (isObject(value)) validateObject(node, value, { ...at, findings });
  findings.match();
  return findings;
}

function validateCombinations(
  node: SchemaNode,
  value: JSONValue,
  { path, patternTime, findings }: Context,
): void {
  const place = { path, patternTime };
  const context = { path, validate: (each: SchemaNode) => validateValue(each, value, place) };
  if (node.anyOf.length > 0) findings.merge(checkAnyOf(node.anyOf, context));
  if (node.oneOf.length > 0) findings.merge(checkOneOf(node.oneOf, context));
  if (node.allOf.length > 0) findings.merge(checkAllOf(node.allOf, context));
  if (node.not) findings.merge(checkNot(node.not, context));
  findings.match();
  findings.match();
}

type Context = Place & { readonly findings: Findings };

function validateByType(node: SchemaNode, value: JSONValue, context: Context): void {
  if (typeof value === "string") validateString(node, value, context);
  else if (typeof value === "number") validateNumber(node, value, context);
  else if (isArray(value)) validateArray(node, value, context);
}

function validateString(node: SchemaNode, value: string, context: Context): void {
  const { path, findings } = context;
  const violation = checkString(node, value, context);
  if (violation) findings.add(violation);
  findings.match();
  const { format } = node.constraints;
  if (!format) return;
  if (!format.check(value)) findings.add(wrongType(path, format.name, value));
  findings.match();
}

function validateNumber(node: SchemaNode, value: number, { path, findings }: Context): void {
  for (const violation of checkNumber(node.source, value, path)) findings.add(violation);
  findings.match();
  findings.match();
}

function validateArray(node: SchemaNode, value: readonly JSONValue[], context: Context): void {
  const { path, patternTime, correlation, findings } = context;
  const { items, source } = node;
  if (items) {
    for (const [index, item] of value.entries()) {
      const at = { path: path.index(index), correlation: correlation?.index(index) };
      findings.merge(validateValue(items, item, { ...at, patternTime }));
    }
  }
  const { minItems, maxItems } = source;
  const actual = value.length;
  if (minItems !== undefined && actual < minItems) {
    findings.add(invalid(path, actual, `should have at least ${minItems} items`));
  }
  if (maxItems !== undefined && actual > maxItems) {
    findings.add(tooMany(path, { actual, max: maxItems }, "items"));
  }
  if (source.uniqueItems && hasDuplicates(value)) {
    findings.add(invalid(path, "", "shouldn't contain duplicates"));
  }
  findings.match();
  findings.match();
}

function hasDuplicates(items: readonly JSONValue[]): boolean {
  return new Set(items.map(canonicalJson)).size < items.length;
}

function checkEnum(
  node: SchemaNode,
  value: JSONValue,
  { path, findings }: { readonly path: ValuePath; readonly findings: Findings },
): void {
  const allowed = node.constraints.enum;
  if (!allowed || (value !== null && allowed.has(value))) return;
  findings.add(notInEnum(path, value, allowed));
}

function validateObject(node: SchemaNode, value: JSONObject, context: Context): void {
  const { path, patternTime, findings } = context;
  const { minProperties, maxProperties } = node.source;
  const actual = Object.keys(value).length;
  if (minProperties !== undefined && actual < minProperties) {
    findings.add(invalid(path, actual, `should have at least ${minProperties} properties`));
  }
  if (maxProperties !== undefined && actual > maxProperties) {
    findings.add(tooMany(path, { actual, max: maxProperties }, "properties"));
  }
  validateAdditionalProperties(node, value, context);
  for (const [name, property] of node.properties ?? []) {
    const field = getOwn(value, name);
    if (field === undefined) continue;
    const at = { path: path.property(name), correlation: correlationOf(context, name) };
    findings.merge(validateValue(property, field, { ...at, patternTime }));
  }
  for (const name of node.constraints.required) {
    if (getOwn(value, name) === undefined) findings.add(missing(path.entry(name)));
  }
  findings.match();
}

/** Both versions are converted to one first, so a change of apiVersion or kind is not visible. */
function correlationOf({ path, correlation }: Context, name: string): Correlation | undefined {
  const isTypeMeta = path.isRoot && (name === "apiVersion" || name === "kind");
  return isTypeMeta ? undefined : correlation?.key(name);
}

function validateAdditionalProperties(node: SchemaNode, value: JSONObject, context: Context): void {
  const { additionalProperties, properties } = node;
  if (!additionalProperties) return;
  const { path, patternTime, findings } = context;
  for (const [key, entry] of Object.entries(value)) {
    if (properties?.has(key)) continue;
    if (!additionalProperties.allowed) {
      findings.add(forbiddenProperty(path, key));
    } else if (additionalProperties.schema) {
      const at = { path: path.entry(key), correlation: correlationOf(context, key) };
      findings.merge(validateValue(additionalProperties.schema, entry, { ...at, patternTime }));
    }
  }
}
