export type {
  ExternalDocumentation,
  FieldValueErrorReason,
  JSONSchemaProps,
  JSONValue,
  ValidationRule,
} from "./json-schema-props.ts";
