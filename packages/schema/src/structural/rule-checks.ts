import { FieldError, type FieldPath } from "@rookery/kube";
import { trimSpace } from "../cel/functions/code-points.ts";
import { declTypeOf, MAX_REQUEST_BYTES } from "../cel/schema/decl-type.ts";
import { type CompiledRule, compileRule } from "../cel/schema/rule.ts";
import { normalizeFieldPath } from "../cel/schema/rule-field-path.ts";
import type { JSONSchemaProps, ValidationRule } from "../json-schema-props.ts";
import { buildNode } from "../structural-node.ts";
import { type Cardinality, multiply, type RuleCosts } from "./rule-costs.ts";

const REASONS = [
  "FieldValueDuplicate",
  "FieldValueForbidden",
  "FieldValueInvalid",
  "FieldValueRequired",
];

/** Checks rules without compiling them. */
export function checkRuleForms(schema: JSONSchemaProps, path: FieldPath): FieldError[] {
  const rules = schema["x-kubernetes-validations"] ?? [];
  return rules.flatMap((rule, i) => {
    const at = path.child("x-kubernetes-validations").index(i);
    return [...checkTexts(rule, at), ...checkReason(rule, at), ...checkFieldPath(rule, schema, at)];
  });
}

function hasNewlines(text: string): boolean {
  return /[\n\r]/.test(text);
}

function checkTexts(rule: ValidationRule, path: FieldPath): FieldError[] {
  const { message = "", messageExpression = "" } = rule;
  const expression =
    messageExpression !== "" && trimSpace(messageExpression) === ""
      ? [
          FieldError.required(
            path.child("messageExpression"),
            "messageExpression must be non-empty if specified",
          ),
        ]
      : [];
  const problem = ruleProblem(rule, message, path);
  return problem ? [problem, ...expression] : expression;
}

function ruleProblem(
  rule: ValidationRule,
  message: string,
  path: FieldPath,
): FieldError | undefined {
  const at = path.child("message");
  const [text, shown] = [trimSpace(rule.rule ?? ""), trimSpace(message)];
  if (text === "") return FieldError.required(path.child("rule"), "rule is not specified");
  if (message !== "" && shown === "")
    return FieldError.invalid(at, message, "must be non-empty if specified");
  if (hasNewlines(shown)) return FieldError.invalid(at, message, "must not contain line breaks");
  if (!hasNewlines(text) || shown !== "") return undefined;
  return FieldError.required(at, "message must be specified if rule contains line breaks");
}

function checkReason({ reason }: ValidationRule, path: FieldPath): FieldError[] {
  if (reason === undefined || REASONS.includes(reason)) return [];
  return [FieldError.notSupported(path.child("reason"), reason, REASONS)];
}

function checkFieldPath(
  rule: ValidationRule,
  schema: JSONSchemaProps,
  path: FieldPath,
): FieldError[] {
  const { fieldPath = "" } = rule;
  if (fieldPath === "") return [];
  const at = path.child("fieldPath");
  const errors: FieldError[] = [];
  if (trimSpace(fieldPath) === "") {
    errors.push(FieldError.invalid(at, fieldPath, "must be non-empty if specified"));
  }
  if (hasNewlines(fieldPath)) {
    errors.push(FieldError.invalid(at, fieldPath, "must not contain line breaks"));
  }
  if (normalizeFieldPath(fieldPath, buildNode(schema)) === undefined) {
    errors.push(FieldError.invalid(at, fieldPath, "must be a valid path"));
  }
  return errors;
}

export interface RuleContext {
  readonly costs: RuleCosts;
  readonly cardinality: Cardinality;
  readonly isResourceRoot: boolean;
  /** The ancestor whose data cannot be correlated in updates; undefined without one. */
  readonly uncorrelatable: FieldPath | undefined;
}

/** Compiles the rules of one schema and estimates their costs. */
export function checkRules(
  schema: JSONSchemaProps,
  path: FieldPath,
  context: RuleContext,
): FieldError[] {
  const rules = schema["x-kubernetes-validations"] ?? [];
  const at = path.child("x-kubernetes-validations");
  if (rules.length === 0) return [];
  const node = buildNode(schema);
  const decl = declTypeOf(node, context.isResourceRoot);
  if (!decl) {
    const problem =
      "internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations";
    return [FieldError.internal(at, new Error(problem))];
  }
  const occurrences = context.cardinality ?? Math.floor(MAX_REQUEST_BYTES / (decl.minSize + 1));
  return rules.flatMap((rule, i) =>
    checkCompiled(compileRule(rule, decl, node), at.index(i), { ...context, occurrences }),
  );
}

function checkCompiled(
  compiled: CompiledRule,
  path: FieldPath,
  context: RuleContext & { readonly occurrences: number },
): FieldError[] {
  const { rule } = compiled;
  const cost = multiply(compiled.program?.cost.max ?? 0, context.occurrences);
  const { costs } = context;
  const errors: (FieldError | undefined)[] = [
    costs.observe("estimated rule cost", path.child("rule"), cost),
    compiled.error === undefined
      ? undefined
      : FieldError.invalid(path.child("rule"), shownRule(rule), compiled.error),
    checkMessage(compiled, path.child("messageExpression"), costs),
    checkOldSelf(compiled, path, context.uncorrelatable),
  ];
  return errors.filter((error) => error !== undefined);
}

function checkMessage(
  { rule, messageError, messageProgram }: CompiledRule,
  path: FieldPath,
  costs: RuleCosts,
): FieldError | undefined {
  if (messageError !== undefined) return FieldError.invalid(path, shownRule(rule), messageError);
  if (!messageProgram) return undefined;
  return costs.observe("estimated messageExpression cost", path, messageProgram.cost.max);
}

function checkOldSelf(
  { rule, usesOldSelf }: CompiledRule,
  path: FieldPath,
  uncorrelatable: FieldPath | undefined,
): FieldError | undefined {
  if (usesOldSelf) {
    if (!uncorrelatable) return undefined;
    const problem = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelatable}`;
    return FieldError.invalid(path.child("rule"), rule.rule, problem);
  }
  if (rule.optionalOldSelf === undefined) return undefined;
  const problem = "may not be set if oldSelf is not used in rule";
  return FieldError.invalid(path.child("optionalOldSelf"), rule.optionalOldSelf, problem);
}

/** With Kubernetes' internal names in their order. */
function shownRule(rule: ValidationRule) {
  const shown = {
    Rule: rule.rule,
    Message: rule.message ?? "",
    MessageExpression: rule.messageExpression ?? "",
    Reason: rule.reason ?? null,
    FieldPath: rule.fieldPath ?? "",
    OptionalOldSelf: rule.optionalOldSelf ?? null,
  };
  return { toJSON: () => shown };
}
