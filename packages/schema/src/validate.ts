import { FieldError, type FieldErrorType, FieldPath } from "@rookery/kube";
import { KUBERNETES_COST_LIMITS, RuleValidator } from "./cel/schema/validate-rules.ts";
import { Correlation } from "./correlation.ts";
import { assertNesting, getOwn, type JSONObject } from "./json.ts";
import { PatternTime } from "./patterns/pattern-time.ts";
import type { SchemaNode } from "./schema-node.ts";
import type { StructuralSchema } from "./structural-schema.ts";
import { checkEmbeddedResources } from "./validate/embedded-resources.ts";
import { checkListTypes } from "./validate/list-types.ts";
import { validateValue } from "./validate/validate-value.ts";
import { ValuePath } from "./validate/value-path.ts";

export interface ValidateOptions {
  /** The object before an update, for transition rules and ratcheting. */
  readonly old?: JSONObject;
  /** For an update of the status: validates only the status, but evaluates all rules. */
  readonly subresource?: "status";
  /** Errors of earlier checks; some of them prevent the evaluation of rules. */
  readonly preceding?: readonly FieldError[];
}

export interface ValidationResult {
  /** In the order of kube-apiserver, without `preceding`. */
  readonly errors: readonly FieldError[];
  /** Failed rules of unchanged data. */
  readonly warnings: readonly FieldError[];
}

/** Rules would only repeat these errors, or fail for missing data. */
const BLOCKING: ReadonlySet<FieldErrorType> = new Set([
  "FieldValueNotSupported",
  "FieldValueRequired",
  "FieldValueTooLong",
  "FieldValueTooMany",
  "FieldValueTypeInvalid",
]);

/**
 * Validates a pruned and defaulted object: values, embedded resources, sets and maps, and rules.
 * Ignores the object's own apiVersion, kind and metadata. Throws a NestingError.
 */
export function validate(
  schema: StructuralSchema,
  object: JSONObject,
  options: ValidateOptions = {},
): ValidationResult {
  assertNesting(object);
  if (options.old) assertNesting(options.old);
  const { root } = schema;
  const patternTime = new PatternTime();
  const correlation = options.old && new Correlation(object, options.old, root);
  const errors = [
    ...validateValues(root, object, { ...options, correlation, patternTime }),
    ...(options.subresource ? [] : checkEmbeddedResources(root, object, FieldPath.root)),
    ...validateListTypes(root, object, options),
  ];
  if (!schema.rules) return { errors, warnings: [] };
  if ([...(options.preceding ?? []), ...errors].some(({ type }) => BLOCKING.has(type))) {
    return { errors: [...errors, rulesNotChecked()], warnings: [] };
  }
  const input = { data: object, old: options.old, correlation };
  const findings = new RuleValidator(KUBERNETES_COST_LIMITS, patternTime).run(
    schema.rules,
    FieldPath.root,
    input,
  );
  return { errors: [...errors, ...findings.errors], warnings: findings.warnings };
}

interface ValueOptions extends ValidateOptions {
  readonly correlation: Correlation | undefined;
  readonly patternTime: PatternTime;
}

function validateValues(root: SchemaNode, object: JSONObject, options: ValueOptions): FieldError[] {
  const { correlation, patternTime, subresource } = options;
  const isStatus = subresource === "status";
  const node = isStatus ? root.properties?.get("status") : root;
  const value = isStatus ? getOwn(object, "status") : object;
  if (!node || value === undefined) return [];
  const at = isStatus ? FieldPath.root.child("status") : FieldPath.root;
  const { violations } = validateValue(node, value, {
    path: ValuePath.root,
    patternTime,
    correlation: isStatus ? correlation?.key("status") : correlation,
  });
  return violations.map((violation) => violation.toFieldError(at));
}

/** An update may keep existing duplicates anywhere. */
function validateListTypes(
  root: SchemaNode,
  object: JSONObject,
  { old }: ValidateOptions,
): FieldError[] {
  const errors = checkListTypes(root, object, FieldPath.root);
  if (errors.length === 0 || !old) return errors;
  return checkListTypes(root, old, FieldPath.root).length === 0 ? errors : [];
}

function rulesNotChecked(): FieldError {
  const problem =
    "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation";
  return FieldError.invalid(FieldPath.root, null, problem);
}
