import type { ValidationRule } from "../../json-schema-props.ts";
import type { SchemaNode } from "../../schema-node.ts";
import { BOOL, CelType, listOf, mapOf, optionalOf, STRING, typeOfType } from "../cel-type.ts";
import type { Declarations } from "../check/checked.ts";
import { runtimeType } from "../check/type-names.ts";
import { compile, type Program } from "../compile.ts";
import { escapedKeyword } from "../escaping.ts";
import { trimSpace } from "../functions/code-points.ts";
import { type DeclType, type ObjectDecl, sizesOf } from "./decl-type.ts";
import { normalizeFieldPath } from "./rule-field-path.ts";

/** One compiled entry of x-kubernetes-validations. */
export interface CompiledRule {
  readonly rule: ValidationRule;
  /** Missing for an empty or invalid rule. */
  readonly program: Program | undefined;
  readonly error: string | undefined;
  readonly messageProgram: Program | undefined;
  readonly messageError: string | undefined;
  readonly usesOldSelf: boolean;
  /** The path of the failure below the data of the rule. */
  readonly fieldPath: string | undefined;
}

/** Never throws. */
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

/** The type of an object of a schema; creates field types on demand. */
class DeclaredObject extends CelType {
  readonly #decl: ObjectDecl;
  readonly #fields = new Map<string, CelType>();

  constructor(name: string, decl: ObjectDecl) {
    super("struct", name);
    this.#decl = decl;
  }

  field(written: string): CelType | undefined {
    const name = this.#decl.fields.has(written) ? written : (escapedKeyword(written) ?? written);
    const known = this.#fields.get(name);
    if (known) return known;
    const decl = this.#decl.fields.get(name);
    if (!decl) return undefined;
    const type = typeOfDecl(decl, `${this.name}.${name}`);
    this.#fields.set(name, type);
    return type;
  }
}

function typeOfDecl(decl: DeclType, name: string): CelType {
  switch (decl.kind) {
    case "scalar":
      return decl.type;
    case "list":
      return listOf(typeOfDecl(decl.element, `${name}.@idx`));
    case "map":
      return mapOf(STRING, typeOfDecl(decl.element, `${name}.@elem`));
    case "object":
      return new DeclaredObject(name, decl);
  }
}

/** `self`, `oldSelf` and the names of types. */
export function ruleDeclarations(decl: DeclType, optionalOldSelf: boolean): Declarations {
  const self = typeOfDecl(decl, "selfType");
  const oldSelf = optionalOldSelf ? optionalOf(self) : self;
  return {
    identifier(name) {
      if (name === "self") return self;
      if (name === "oldSelf") return oldSelf;
      const type = runtimeType(name);
      return type && typeOfType(type);
    },
    field: (object, name) => (object instanceof DeclaredObject ? object.field(name) : undefined),
  };
}
