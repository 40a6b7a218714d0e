import type { JSONValue } from "./json.ts";

export type FieldValueErrorReason =
  | "FieldValueRequired"
  | "FieldValueDuplicate"
  | "FieldValueInvalid"
  | "FieldValueForbidden";

export interface ValidationRule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: FieldValueErrorReason;
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}

export interface ExternalDocumentation {
  readonly description?: string;
  readonly url?: string;
}

/**
 * The fields of `openAPIV3Schema` of an apiextensions.k8s.io/v1 CustomResourceDefinition.
 * `checkStructural` checks which of them a structural schema may use.
 */
export interface JSONSchemaProps {
  readonly id?: string;
  readonly $schema?: string;
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string;
  readonly format?: string;
  readonly title?: string;
  readonly default?: JSONValue;
  readonly maximum?: number;
  readonly exclusiveMaximum?: boolean;
  readonly minimum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly maxLength?: number;
  readonly minLength?: number;
  readonly pattern?: string;
  readonly maxItems?: number;
  readonly minItems?: number;
  readonly uniqueItems?: boolean;
  readonly multipleOf?: number;
  readonly enum?: readonly JSONValue[];
  readonly maxProperties?: number;
  readonly minProperties?: number;
  readonly required?: readonly string[];
  readonly items?: JSONSchemaProps | readonly JSONSchemaProps[];
  readonly allOf?: readonly JSONSchemaProps[];
  readonly oneOf?: readonly JSONSchemaProps[];
  readonly anyOf?: readonly JSONSchemaProps[];
  readonly not?: JSONSchemaProps;
  readonly properties?: { readonly [name: string]: JSONSchemaProps };
  readonly additionalProperties?: JSONSchemaProps | boolean;
  readonly patternProperties?: { readonly [pattern: string]: JSONSchemaProps };
  readonly dependencies?: { readonly [name: string]: JSONSchemaProps | readonly string[] };
  readonly additionalItems?: JSONSchemaProps | boolean;
  readonly definitions?: { readonly [name: string]: JSONSchemaProps };
  readonly externalDocs?: ExternalDocumentation;
  readonly example?: JSONValue;
  readonly nullable?: boolean;
  readonly "x-kubernetes-preserve-unknown-fields"?: boolean;
  readonly "x-kubernetes-embedded-resource"?: boolean;
  readonly "x-kubernetes-int-or-string"?: boolean;
  readonly "x-kubernetes-list-map-keys"?: readonly string[];
  readonly "x-kubernetes-list-type"?: "atomic" | "set" | "map";
  readonly "x-kubernetes-map-type"?: "granular" | "atomic";
  readonly "x-kubernetes-validations"?: readonly ValidationRule[];
}
