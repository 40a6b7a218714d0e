import { FieldError, type FieldPath } from "@rookery/kube";
import { append } from "../append.ts";
import type { JSONSchemaProps } from "../json-schema-props.ts";
import { META_FIELDS } from "../prune.ts";
import { checkListType } from "./list-type.ts";
import { checkRuleForms, checkRules } from "./rule-checks.ts";
import { type Cardinality, cardinalityBelow, type RuleCosts } from "./rule-costs.ts";
import { isSchema } from "./supported-fields.ts";

const TYPES = ["array", "boolean", "integer", "number", "object", "string"];

/** Restrictions from the position in the schema. */
interface Place {
  readonly isRoot: boolean;
  /** Why a default is forbidden; undefined where it is allowed. */
  readonly noDefaults: string | undefined;
  readonly insideMeta: boolean;
  readonly uncorrelatable: FieldPath | undefined;
  /** Undefined where rules are not checked. */
  readonly costs: RuleCosts | undefined;
  readonly cardinality: Cardinality;
}

interface Found {
  readonly schema: FieldError[];
  readonly rules: FieldError[];
}

/** Checks of every node of a CRD schema; compiles rules if `costs` is set. */
export function checkOpenApi(
  schema: JSONSchemaProps,
  path: FieldPath,
  costs: RuleCosts | undefined,
): FieldError[] {
  const place: Place = {
    isRoot: true,
    noDefaults: undefined,
    insideMeta: false,
    uncorrelatable: undefined,
    costs,
    cardinality: 1,
  };
  const found = checkNode(schema, path, place);
  return [...found.schema, ...found.rules];
}

function checkNode(schema: JSONSchemaProps, path: FieldPath, place: Place): Found {
  const found: Found = { schema: checkFields(schema, path, place), rules: [] };
  const visit = (child: JSONSchemaProps, at: FieldPath, inner: Partial<Place> = {}): void => {
    const below = checkNode(child, at, { ...place, isRoot: false, ...inner });
    append(found.schema, below.schema);
    append(found.rules, below.rules);
  };
  visitChildren(schema, path, { place, visit });
  append(found.schema, checkExtensions(schema, path));
  append(found.schema, checkListType(schema, path));
  append(found.schema, checkRuleForms(schema, path));
  // Rules of an invalid schema would fail with misleading errors.
  if (found.schema.length === 0 && place.costs) {
    const { costs, cardinality, uncorrelatable } = place;
    const isResourceRoot = place.isRoot || schema["x-kubernetes-embedded-resource"] === true;
    const context = { costs, cardinality, isResourceRoot, uncorrelatable };
    append(found.rules, checkRules(schema, path, context));
  }
  return found;
}

type Visit = (child: JSONSchemaProps, at: FieldPath, inner?: Partial<Place>) => void;

function visitChildren(
  schema: JSONSchemaProps,
  path: FieldPath,
  { place, visit }: { readonly place: Place; readonly visit: Visit },
): void {
  const cardinality = cardinalityBelow(schema, place.cardinality);
  const { additionalProperties, items } = schema;
  if (typeof additionalProperties === "object") {
    const forbidden = { noDefaults: "inside additionalProperties applying to object metadata" };
    const inner = place.insideMeta ? forbidden : {};
    visit(additionalProperties, path.child("additionalProperties"), { ...inner, cardinality });
  }
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const inner = { ...metaPlace(schema, place, name), cardinality };
    visit(property, path.child("properties").key(name), inner);
  }
  for (const [child, at] of alternatives(schema, path)) visit(child, at, { costs: undefined });
  if (isSchema(items)) {
    const known = schema["x-kubernetes-list-type"] === "map";
    const uncorrelatable = place.uncorrelatable ?? (known ? undefined : path);
    visit(items, path.child("items"), { uncorrelatable, cardinality });
  }
}

function metaPlace(schema: JSONSchemaProps, place: Place, name: string): Partial<Place> {
  const resource = place.isRoot || schema["x-kubernetes-embedded-resource"] === true;
  if (!resource || !META_FIELDS.has(name)) return {};
  return place.isRoot
    ? { insideMeta: true, noDefaults: `in top-level ${name}` }
    : { insideMeta: true };
}

function alternatives(
  schema: JSONSchemaProps,
  path: FieldPath,
): readonly (readonly [JSONSchemaProps, FieldPath])[] {
  const lists = (["allOf", "oneOf", "anyOf"] as const).flatMap((name) =>
    (schema[name] ?? []).map((each, i) => [each, path.child(name).index(i)] as const),
  );
  return schema.not ? [[schema.not, path.child("not")] as const, ...lists] : lists;
}

/** Unsupported or misplaced fields. */
function checkFields(schema: JSONSchemaProps, path: FieldPath, place: Place): FieldError[] {
  const errors: FieldError[] = [];
  const forbid = (name: string, problem: string): void => {
    errors.push(FieldError.forbidden(path.child(name), problem));
  };
  if (schema.type && !TYPES.includes(schema.type)) {
    errors.push(FieldError.notSupported(path.child("type"), schema.type, TYPES));
  }
  if (schema.default !== undefined && schema.default !== null && place.noDefaults !== undefined) {
    forbid("default", `must not be set ${place.noDefaults}`);
  }
  if (schema.id) forbid("id", "id is not supported");
  for (const name of [
    "additionalItems",
    "patternProperties",
    "definitions",
    "dependencies",
    "$ref",
  ] as const) {
    if (schema[name] !== undefined) forbid(name, `${name} is not supported`);
  }
  if (schema.type === "null") {
    forbid("type", "type cannot be set to null, use nullable as an alternative");
  }
  if (Array.isArray(schema.items))
    forbid("items", "items must be a schema object and not an array");
  if (place.insideMeta && schema["x-kubernetes-embedded-resource"]) {
    forbid("x-kubernetes-embedded-resource", "must not be used inside of resource meta");
  }
  if (schema.uniqueItems) {
    forbid(
      "uniqueItems",
      "uniqueItems cannot be set to true since the runtime complexity becomes quadratic",
    );
  }
  const exclusive =
    schema.additionalProperties !== undefined && schema.additionalProperties !== true;
  if (exclusive && Object.keys(schema.properties ?? {}).length > 0) {
    forbid("additionalProperties", "additionalProperties and properties are mutual exclusive");
  }
  return errors;
}

function checkExtensions(schema: JSONSchemaProps, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const preserve = "x-kubernetes-preserve-unknown-fields";
  if (schema[preserve] === false) {
    errors.push(FieldError.invalid(path.child(preserve), false, "must be true or undefined"));
  }
  const mapType: string | undefined = schema["x-kubernetes-map-type"];
  if (mapType === undefined) return errors;
  if (schema.type !== "object") {
    const problem = "must be object if x-kubernetes-map-type is specified";
    const at = path.child("type");
    errors.push(
      schema.type ? FieldError.invalid(at, schema.type, problem) : FieldError.required(at, problem),
    );
  }
  if (mapType !== "atomic" && mapType !== "granular") {
    const at = path.child("x-kubernetes-map-type");
    errors.push(FieldError.notSupported(at, mapType, ["atomic", "granular"]));
  }
  return errors;
}
