/**
 * Structural schemas as in kube-apiserver 1.34, with the same messages.
 *
 * `compileSchema` prepares a schema once; `prune`, `applyDefaults` and `validate` apply it to
 * objects, in this order, without changing them. `cel/` parses, checks, bills and evaluates rules
 * (x-kubernetes-validations) within Kubernetes' cost budget.
 */
export {
  compileExpression,
  compileValue,
  type Expression,
  type Said,
  type ValueExpression,
  type VariableType,
  type VariableValue,
} from "./cel/expression.ts";
export {
  type AccessQuestion,
  type AccessVerdict,
  CelAuthorizer,
  CelResourceCheck,
} from "./cel/functions/authorization.ts";
export { applyDefaults } from "./default.ts";
export { MetadataError, NestingError } from "./errors.ts";
export type { JSONObject, JSONValue } from "./json.ts";
export { assertNesting } from "./json.ts";
export type {
  ExternalDocumentation,
  FieldValueErrorReason,
  JSONSchemaProps,
  ValidationRule,
} from "./json-schema-props.ts";
export {
  formatIpAddress,
  type IpAddress,
  isIpv4Mapped,
  parseIpAddress,
} from "./net/ip-address.ts";
export {
  type IpPrefix,
  parseIpPrefix,
  parseLegacyCidr,
  parseLegacyIp,
  prefixContains,
} from "./net/ip-prefix.ts";
export { type ParsedUrl, parseUrl } from "./net/url.ts";
export { type Pruned, prune } from "./prune.ts";
export { checkStructural, type StructuralOptions } from "./structural/check-structural.ts";
export { compileSchema, type StructuralSchema } from "./structural-schema.ts";
export { type ValidateOptions, type ValidationResult, validate } from "./validate.ts";
