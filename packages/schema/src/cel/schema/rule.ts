import type { ValidationRule } from "../../json-schema-props.ts";
import type { SchemaNode } from "../../schema-node.ts";
import { BOOL, STRING } from "../cel-type.ts";
import { compile, type Program } from "../compile.ts";
import { trimSpace } from "../functions/code-points.ts";
import type { DeclType } from "./decl-type.ts";
import { ruleDeclarations } from "./declared-types.ts";
import { normalizeFieldPath } from "./rule-field-path.ts";
import { sizesOf } from "./size-at.ts";

/** One entry of x-kubernetes-validations, ready to be evaluated. */
export interface CompiledRule {
  readonly rule: ValidationRule;
  /** Missing for an empty rule, and where there is an error. */
  readonly program: Program | undefined;
  readonly error: string | undefined;
  readonly messageProgram: Program | undefined;
  readonly messageError: string | undefined;
  readonly usesOldSelf: boolean;
  /** Where the failure is reported, below the data that the rule is about. */
  readonly fieldPath: string | undefined;
}

/** Compiles a rule of a schema whose data has this declaration. Never throws. */
export function compileRule(rule: ValidationRule, decl: DeclType, node: SchemaNode): CompiledRule {
  const empty = {
    rule,
    program: undefined,
    error: undefined,
    messageProgram: undefined,
    messageError: undefined,
    usesOldSelf: false,
    fieldPath: undefined,
  };
  if (trimSpace(rule.rule) === "") return empty;
  const declarations = ruleDeclarations(decl, rule.optionalOldSelf === true);
  const program = compile(rule.rule, declarations, sizesOf(decl));
  if (!("evaluate" in program)) {
    const problem =
      program.phase === "compilation" ? "compilation failed" : "program instantiation failed";
    return { ...empty, error: `${problem}: ${program.message}` };
  }
  if (program.type.kind !== BOOL.kind) {
    return { ...empty, error: "cel expression must evaluate to a bool" };
  }
  const usesOldSelf = program.variables.has("oldSelf");
  const fieldPath = rule.fieldPath ? normalizeFieldPath(rule.fieldPath, node) : undefined;
  return { ...empty, program, usesOldSelf, fieldPath, ...compileMessage(rule, decl) };
}

function compileMessage(
  rule: ValidationRule,
  decl: DeclType,
): Partial<Pick<CompiledRule, "messageProgram" | "messageError">> {
  if (!rule.messageExpression) return {};
  const declarations = ruleDeclarations(decl, rule.optionalOldSelf === true);
  const program = compile(rule.messageExpression, declarations, sizesOf(decl));
  if (!("evaluate" in program)) {
    const problem = program.phase === "compilation" ? "compilation failed" : "instantiation failed";
    return { messageError: `messageExpression ${problem}: ${program.message}` };
  }
  if (program.type.kind !== STRING.kind) {
    return { messageError: "messageExpression must evaluate to a string" };
  }
  return { messageProgram: program };
}
