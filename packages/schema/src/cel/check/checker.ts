import {
  BOOL,
  type CelType,
  DYN,
  ERROR,
  INT,
  isOptional,
  listOf,
  mapOf,
  optionalOf,
  typeParam,
} from "../cel-type.ts";
import type { FunctionDeclaration } from "../functions/declare.ts";
import { FUNCTIONS } from "../functions/library.ts";
import {
  type Call,
  type Comprehension,
  type Expr,
  type ListExpr,
  type MapExpr,
  OPERATORS,
  qualifiedName,
  type Select,
} from "../syntax/ast.ts";
import type { Issues } from "../syntax/issues.ts";
import type { Parsed } from "../syntax/parser.ts";
import { typeOf } from "../values/value.ts";
import type { CheckedExpr, Declarations, ResolvedCall } from "./checked.ts";
import { resolveOverloads } from "./overload-resolution.ts";
import { PartTypes } from "./part-types.ts";
import { mostGeneral, TypeBindings } from "./type-bindings.ts";

/** Infers the type of every node; problems go to the issues of `parsed`. */
export function check(parsed: Parsed, declarations: Declarations): CheckedExpr | undefined {
  if (!parsed.expr) return undefined;
  const checked = new Checker(parsed, declarations).run(parsed.expr);
  return parsed.issues.any ? undefined : checked;
}

type Scope = ReadonlyMap<string, CelType>;

class Checker {
  readonly #parsed: Parsed;
  readonly #issues: Issues;
  readonly #declarations: Declarations;
  readonly #bindings = new TypeBindings();
  readonly #parts: PartTypes;
  readonly #types = new Map<number, CelType>();
  readonly #calls = new Map<number, ResolvedCall>();
  readonly #names = new Map<number, string>();
  #scope: Scope = new Map();
  #freeParameters = 0;

  constructor(parsed: Parsed, declarations: Declarations) {
    this.#parsed = parsed;
    this.#issues = parsed.issues;
    this.#declarations = declarations;
    this.#parts = new PartTypes(this.#bindings, declarations);
  }

  run(expr: Expr): CheckedExpr {
    this.#check(expr);
    const types = new Map<number, CelType>();
    for (const [id, type] of this.#types) types.set(id, this.#bindings.substitute(type, true));
    const { positions } = this.#parsed;
    return { expr, positions, types, calls: this.#calls, names: this.#names };
  }

  #report(expr: Expr, message: string): void {
    this.#issues.report(this.#parsed.positions.get(expr.id), message);
  }

  #check(expr: Expr): CelType {
    const type = this.#infer(expr);
    this.#types.set(expr.id, type);
    return type;
  }

  #infer(expr: Expr): CelType {
    switch (expr.kind) {
      case "literal":
        return typeOf(expr.value);
      case "ident":
        return this.#identifier(expr, expr.name) ?? this.#undeclared(expr, expr.name);
      case "select":
        return this.#select(expr);
      case "call":
        return expr.fn === OPERATORS.optSelect ? this.#optSelect(expr) : this.#call(expr);
      case "list":
        return this.#list(expr);
      case "map":
        return this.#map(expr);
      case "struct":
        return this.#undeclared(expr, expr.typeName);
      case "comprehension":
        return this.#comprehension(expr);
    }
  }

  #identifier(expr: Expr, written: string): CelType | undefined {
    const name = written.replace(/^\./, "");
    const type = this.#scope.get(name) ?? this.#declarations.identifier(name);
    if (type) this.#names.set(expr.id, name);
    return type;
  }

  #undeclared(expr: Expr, name: string): CelType {
    this.#report(expr, `undeclared reference to '${name}' (in container '')`);
    return ERROR;
  }

  #select(expr: Select): CelType {
    const name = expr.testOnly ? undefined : qualifiedName(expr);
    const identifier = name === undefined ? undefined : this.#identifier(expr, name);
    if (identifier) return identifier;
    const field = this.#field(expr, expr.operand, { name: expr.field, optional: false });
    return expr.testOnly ? BOOL : this.#bindings.substitute(field, false);
  }

  #optSelect(expr: Call): CelType {
    const [operand, field] = expr.args;
    if (!operand || field?.kind !== "literal") return ERROR;
    this.#types.set(field.id, typeOf(field.value));
    const type = this.#field(expr, operand, { name: String(field.value), optional: true });
    this.#calls.set(expr.id, { fn: expr.fn, overloads: ["select_optional_field"], member: false });
    return this.#bindings.substitute(type, false);
  }

  #field(expr: Expr, operand: Expr, field: { name: string; optional: boolean }): CelType {
    const operandType = this.#bindings.substitute(this.#check(operand), false);
    const inOptional = isOptional(operandType);
    const target = inOptional ? operandType.param(0) : operandType;
    const { type, problem } = this.#parts.fieldOf(target, field.name);
    if (problem) this.#report(expr, problem);
    return inOptional || field.optional ? optionalOf(type) : type;
  }

  #call(expr: Call): CelType {
    const args = expr.args.map((arg) => this.#check(arg));
    if (!expr.target) return this.#resolve(expr, this.#function(expr, expr.fn), args, undefined);
    const prefix = qualifiedName(expr.target);
    const namespaced = prefix === undefined ? undefined : FUNCTIONS.get(`${prefix}.${expr.fn}`);
    if (namespaced) return this.#resolve(expr, namespaced, args, undefined);
    const target = this.#check(expr.target);
    return this.#resolve(expr, this.#function(expr, expr.fn), args, target);
  }

  #function(expr: Expr, written: string): FunctionDeclaration | undefined {
    const declaration = FUNCTIONS.get(written.replace(/^\./, ""));
    if (!declaration) this.#undeclared(expr, written);
    return declaration;
  }

  #resolve(
    expr: Call,
    declaration: FunctionDeclaration | undefined,
    args: readonly CelType[],
    target: CelType | undefined,
  ): CelType {
    if (!declaration) return ERROR;
    if (declaration.name === OPERATORS.and || declaration.name === OPERATORS.or) {
      return this.#logical(expr, declaration, args);
    }
    const resolution = resolveOverloads(
      { declaration, args, target, newParameter: () => this.#newParameter() },
      this.#bindings,
    );
    if (typeof resolution === "string") {
      this.#report(expr, resolution);
      return ERROR;
    }
    const { overloads, result } = resolution;
    this.#calls.set(expr.id, { fn: declaration.name, overloads, member: target !== undefined });
    return result;
  }

  #logical(expr: Call, declaration: FunctionDeclaration, args: readonly CelType[]): CelType {
    let valid = true;
    args.forEach((type, i) => {
      const arg = expr.args[i];
      if (!arg || this.#bindings.isAssignable([type], [BOOL])) return;
      this.#report(arg, mismatch(BOOL, type));
      valid = false;
    });
    const overloads = declaration.overloads.map(({ id }) => id);
    this.#calls.set(expr.id, { fn: declaration.name, overloads, member: false });
    return valid ? BOOL : ERROR;
  }

  #newParameter(): CelType {
    return typeParam(`_var${this.#freeParameters++}`);
  }

  #list(expr: ListExpr): CelType {
    let elementType: CelType | undefined;
    expr.elements.forEach((element, i) => {
      const type = this.#element(element, expr.optionals.has(i));
      elementType = this.#join(elementType, type);
    });
    return listOf(elementType ?? this.#newParameter());
  }

  /** The type of an element, unwrapped where it is marked as optional. */
  #element(expr: Expr, optional: boolean): CelType {
    const type = this.#check(expr);
    if (!optional) return type;
    if (isOptional(type)) return type.param(0);
    if (type.kind !== "dyn") this.#report(expr, mismatch(optionalOf(type), type));
    return type;
  }

  #map(expr: MapExpr): CelType {
    let keyType: CelType | undefined;
    let valueType: CelType | undefined;
    for (const { key, value, optional } of expr.entries) {
      keyType = this.#join(keyType, this.#check(key));
      valueType = this.#join(valueType, this.#element(value, optional));
    }
    return mapOf(keyType ?? this.#newParameter(), valueType ?? this.#newParameter());
  }

  #join(previous: CelType | undefined, current: CelType): CelType {
    if (!previous) return current;
    // Mixed types are rejected later, except among the arguments of `format()`.
    return this.#bindings.isAssignable([previous], [current])
      ? mostGeneral(previous, current)
      : DYN;
  }

  #comprehension(expr: Comprehension): CelType {
    const range = this.#bindings.substitute(this.#check(expr.range), false);
    const accumulator = this.#check(expr.accuInit);
    const outer = this.#scope;
    const withAccumulator = new Map(outer).set(expr.accuVar, accumulator);
    this.#scope = this.#withVariables(withAccumulator, expr, range);
    this.#check(expr.condition);
    this.#expect(expr.condition, BOOL);
    this.#check(expr.step);
    this.#expect(expr.step, accumulator);
    this.#scope = withAccumulator;
    const result = this.#check(expr.result);
    this.#scope = outer;
    return this.#bindings.substitute(result, false);
  }

  #withVariables(scope: Scope, expr: Comprehension, range: CelType): Scope {
    const { key: first, value: second, problem } = this.#parts.entriesOf(range);
    if (problem) this.#report(expr.range, problem);
    const inner = new Map(scope);
    if (expr.iterVar2 === undefined) return inner.set(expr.iterVar, first);
    const index = range.kind === "list" ? INT : first;
    return inner.set(expr.iterVar, index).set(expr.iterVar2, second);
  }

  #expect(expr: Expr, expected: CelType): void {
    const type = this.#types.get(expr.id) ?? ERROR;
    if (!this.#bindings.isAssignable([expected], [type]))
      this.#report(expr, mismatch(expected, type));
  }
}

function mismatch(expected: CelType, actual: CelType): string {
  return `expected type '${expected}' but found '${actual}'`;
}
