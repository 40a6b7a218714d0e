import type { FormatCheck } from "./formats/formats.ts";
import type { JSONValue } from "./json.ts";
import type { JSONSchemaProps, ValidationRule } from "./json-schema-props.ts";
import type { Pattern } from "./patterns/pattern.ts";
import type { AllowedValues } from "./validate/allowed-values.ts";

/**
 * A prepared node of a schema: patterns and formats are compiled, names are in maps. The nodes of
 * allOf, anyOf, oneOf and not have the same shape.
 */
export interface SchemaNode {
  /** The unprepared schema, with limits. */
  readonly source: JSONSchemaProps;
  /** "" where absent. */
  readonly type: string;
  /** The allowed types: `type`, or both of int-or-string. */
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

/** Prepared constraints beyond the type. */
export interface Constraints {
  /** Undefined for a format that is not checked. */
  readonly format: { readonly name: string; readonly check: FormatCheck } | undefined;
  readonly pattern: Pattern | undefined;
  readonly required: readonly string[];
  readonly enum: AllowedValues | undefined;
}
