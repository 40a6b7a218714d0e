import { deepCopy, deepFreeze } from "@rookery/kube";
import { NestingError } from "./errors.ts";
import { formatCheck } from "./formats/formats.ts";
import type { JSONValue } from "./json.ts";
import type { JSONSchemaProps } from "./json-schema-props.ts";
import { Pattern } from "./patterns/pattern.ts";
import type { AdditionalProperties, Constraints, SchemaNode } from "./schema-node.ts";
import { AllowedValues } from "./validate/allowed-values.ts";

const MAX_DEPTH = 250;
const INT_OR_STRING = ["integer", "string"] as const;

export interface BuildOptions {
  /** Leaves int-or-string to anyOf, as the check of defaults does. */
  readonly untypedIntOrString?: boolean;
  readonly depth?: number;
}

/** Throws a NestingError for a schema that nests too deeply. */
export function buildNode(props: JSONSchemaProps, options: BuildOptions = {}): SchemaNode {
  const { depth = 0, untypedIntOrString = false } = options;
  if (depth > MAX_DEPTH) throw new NestingError("schema", MAX_DEPTH);
  const child = (schema: JSONSchemaProps): SchemaNode =>
    buildNode(schema, { ...options, depth: depth + 1 });
  const intOrString = props["x-kubernetes-int-or-string"] === true;
  const type = props.type ?? "";
  return {
    source: props,
    type,
    types: intOrString && !untypedIntOrString ? INT_OR_STRING : type === "" ? [] : [type],
    nullable: props.nullable === true,
    default: defaultOf(props),
    preserveUnknownFields: props["x-kubernetes-preserve-unknown-fields"] === true,
    embeddedResource: props["x-kubernetes-embedded-resource"] === true,
    intOrString,
    listType: props["x-kubernetes-list-type"],
    listMapKeys: props["x-kubernetes-list-map-keys"] ?? [],
    properties: buildProperties(props, child),
    additionalProperties: buildAdditionalProperties(props, child),
    items: itemsOf(props, child),
    constraints: buildConstraints(props),
    allOf: (props.allOf ?? []).map(child),
    anyOf: (props.anyOf ?? []).map(child),
    oneOf: (props.oneOf ?? []).map(child),
    not: props.not && child(props.not),
    rules: props["x-kubernetes-validations"] ?? [],
  };
}

/** Frozen, because objects share it. A default of null is none. */
function defaultOf(props: JSONSchemaProps): JSONValue | undefined {
  const value = props.default ?? undefined;
  return value === undefined ? undefined : deepFreeze(deepCopy(value));
}

type Child = (schema: JSONSchemaProps) => SchemaNode;

function buildProperties(
  { properties }: JSONSchemaProps,
  child: Child,
): ReadonlyMap<string, SchemaNode> | undefined {
  const entries = Object.entries(properties ?? {});
  if (entries.length === 0) return undefined;
  return new Map(entries.map(([name, schema]) => [name, child(schema)] as const));
}

function buildAdditionalProperties(
  { additionalProperties }: JSONSchemaProps,
  child: Child,
): AdditionalProperties | undefined {
  if (additionalProperties === undefined) return undefined;
  if (typeof additionalProperties === "boolean") {
    return { allowed: additionalProperties, schema: undefined };
  }
  return { allowed: true, schema: child(additionalProperties) };
}

/** `checkStructural` rejects a list of schemas. */
function itemsOf({ items }: JSONSchemaProps, child: Child): SchemaNode | undefined {
  return items === undefined || Array.isArray(items) ? undefined : child(items as JSONSchemaProps);
}

function buildConstraints(props: JSONSchemaProps): Constraints {
  const check = props.format === undefined ? undefined : formatCheck(props.format);
  return {
    format: check && { name: props.format ?? "", check },
    pattern: props.pattern ? new Pattern(props.pattern) : undefined,
    required: props.required ?? [],
    enum: props.enum?.length ? new AllowedValues(props.enum) : undefined,
  };
}
