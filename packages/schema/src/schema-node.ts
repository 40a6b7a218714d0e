import type { FormatCheck } from "./formats/formats.ts";
import type { JSONValue } from "./json.ts";
import type { JSONSchemaProps, ValidationRule } from "./json-schema-props.ts";
import type { Pattern } from "./patterns/pattern.ts";
import type { AllowedValues } from "./validate/allowed-values.ts";

/**
 * One node of a schema, prepared once for every operation: patterns and formats are compiled, names
 * are in maps. The nodes under allOf, anyOf, oneOf and not have the same shape.
 */
export interface SchemaNode {
  /** As it was given: limits and the like are read from there. */
  readonly source: JSONSchemaProps;
  /** "" where none is given. */
  readonly type: string;
  /** The types that a value may have: `type`, or both of int-or-string. */
  readonly types: readonly string[];
  readonly nullable: boolean;
  readonly default: JSONValue | undefined;
  readonly preserveUnknownFields: boolean;
  readonly embeddedResource: boolean;
  readonly intOrString: boolean;
  readonly listType: string | undefined;
  readonly listMapKeys: readonly string[];
  readonly properties: ReadonlyMap<string, SchemaNode> | undefined;
  readonly additionalProperties: AdditionalProperties | undefined;
  readonly items: SchemaNode | undefined;
  readonly constraints: Constraints;
  readonly allOf: readonly SchemaNode[];
  readonly anyOf: readonly SchemaNode[];
  readonly oneOf: readonly SchemaNode[];
  readonly not: SchemaNode | undefined;
  readonly rules: readonly ValidationRule[];
}

export interface AdditionalProperties {
  readonly allowed: boolean;
  readonly schema: SchemaNode | undefined;
}

/** What a value must fulfil beyond its type, as far as it can be prepared. */
export interface Constraints {
  /** Only a format that is checked; any other has no effect. */
  readonly format: { readonly name: string; readonly check: FormatCheck } | undefined;
  readonly pattern: Pattern | undefined;
  readonly required: readonly string[];
  readonly enum: AllowedValues | undefined;
}
