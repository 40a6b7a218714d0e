import { isArray, isInt64, isObject, type JSONValue } from "../json.ts";
import {
  BOOL,
  CelType,
  DYN,
  INT,
  listOf,
  mapOf,
  objectType,
  STRING,
  TIMESTAMP,
  typeOfType,
} from "./cel-type.ts";
import type { Declarations } from "./check/checked.ts";
import { runtimeType } from "./check/type-names.ts";
import { compile, type Program } from "./compile.ts";
import {
  AUTHORIZER,
  type CelAuthorizer,
  type CelResourceCheck,
  RESOURCE_CHECK,
} from "./functions/authorization.ts";
import { CostLimitExceeded, Meter } from "./meter.ts";
import { CelError, CelList, Opaque, typeOf as typeOfValue, type Value } from "./values/value.ts";
import { ValueList } from "./values/value-list.ts";
import { ValueMap } from "./values/value-map.ts";

/** The type of a variable or of a field. */
export type VariableType =
  | "dyn"
  | "string"
  | "bool"
  | "int"
  | "timestamp"
  | "authorizer"
  | "resourceCheck"
  | { readonly list: VariableType }
  | { readonly map: VariableType }
  | { readonly name: string; readonly fields: Readonly<Record<string, VariableType>> };

/** The value of a variable: data or an authorizer. */
export type VariableValue = JSONValue | CelAuthorizer | CelResourceCheck;

/** A compiled condition. */
export interface Expression {
  /** The result and cost; a text is the error. Never throws. */
  evaluate(
    variables: Readonly<Record<string, VariableValue>>,
    costLimit: number,
  ): { readonly result: boolean | string; readonly cost: number };
}

/** The data of an expression, or an error message. */
export type Said =
  | { readonly value: JSONValue; readonly error?: undefined }
  | { readonly value?: undefined; readonly error: string };

/** A compiled expression of any type. */
export interface ValueExpression {
  /** Never throws. */
  evaluate(
    variables: Readonly<Record<string, VariableValue>>,
    costLimit: number,
  ): { readonly said: Said; readonly cost: number };
}

export interface ExpressionOptions {
  /** Whether whole numbers are ints, or all numbers doubles, as in the claims of a token. */
  readonly numbers?: "ints" | "doubles";
}

/** Compiles an expression of any type; returns the error message of kube-apiserver on failure. */
export function compileValue(
  text: string,
  variables: Readonly<Record<string, VariableType>>,
  { numbers = "ints" }: ExpressionOptions = {},
): ValueExpression | string {
  const program = compileProgram(text, variables);
  if (typeof program === "string") return program;
  return {
    evaluate(values, costLimit) {
      const { result, cost } = evaluate(program, { values, costLimit, numbers });
      return { said: saidBy(result), cost };
    },
  };
}

/** Compiles a condition with Kubernetes' functions; returns kube-apiserver's error on failure. */
export function compileExpression(
  text: string,
  variables: Readonly<Record<string, VariableType>>,
  { numbers = "ints" }: ExpressionOptions = {},
): Expression | string {
  const program = compileProgram(text, variables);
  if (typeof program === "string") return program;
  if (program.type.kind !== BOOL.kind) return `must evaluate to bool but got ${program.type}`;
  return {
    evaluate(values, costLimit) {
      const { result, cost } = evaluate(program, { values, costLimit, numbers });
      if (typeof result === "boolean") return { result, cost };
      return { result: result instanceof CelError ? result.message : "no such overload", cost };
    },
  };
}

function compileProgram(
  text: string,
  variables: Readonly<Record<string, VariableType>>,
): Program | string {
  const program = compile(text, declarationsOf(variables), () => undefined);
  if ("evaluate" in program) return program;
  const phase = program.phase === "compilation" ? "compilation" : "program instantiation";
  return `${phase} failed: ${program.message}`;
}

interface Evaluation extends Required<ExpressionOptions> {
  readonly values: Readonly<Record<string, VariableValue>>;
  readonly costLimit: number;
}

function evaluate(program: Program, { values, costLimit, numbers }: Evaluation) {
  const meter = new Meter(costLimit);
  const variables = new Map(
    Object.entries(values).map(([name, value]) => [
      name,
      value instanceof Opaque ? value : celValueOf(value, numbers),
    ]),
  );
  try {
    return { result: program.evaluate(variables, meter), cost: meter.cost };
  } catch (error) {
    if (!(error instanceof CostLimitExceeded)) throw error;
    return { result: new CelError(error.message), cost: meter.cost };
  }
}

function saidBy(result: Value): Said {
  if (result instanceof CelError) return { error: result.message };
  if (result instanceof CelList) {
    const items = [...result].map(saidBy);
    const failed = items.find(({ error }) => error !== undefined);
    return failed ?? { value: items.map(({ value = null }) => value) };
  }
  if (result === null || typeof result === "string" || typeof result === "boolean") {
    return { value: result };
  }
  return typeof result === "number"
    ? { value: result }
    : { error: `${typeOfValue(result)} is no data` };
}

function celValueOf(data: JSONValue, numbers: ExpressionOptions["numbers"]): Value {
  if (isArray(data)) return new ValueList(data.map((item) => celValueOf(item, numbers)));
  if (isObject(data)) {
    const entries = Object.entries(data);
    return new ValueMap(entries.map(([key, value]) => [key, celValueOf(value, numbers)]));
  }
  const isInt = numbers === "ints" && typeof data === "number" && isInt64(data);
  return isInt ? BigInt(data) : (data as Value);
}

function declarationsOf(variables: Readonly<Record<string, VariableType>>): Declarations {
  const types = new Map<string, CelType>();
  for (const [name, type] of Object.entries(variables)) types.set(name, typeOf(type));
  return {
    identifier(name) {
      const type = runtimeType(name);
      return types.get(name) ?? (type && typeOfType(type));
    },
    field: (object, name) => (object instanceof NamedObject ? object.field(name) : undefined),
  };
}

class NamedObject extends CelType {
  readonly #fields: Readonly<Record<string, VariableType>>;

  constructor(name: string, fields: Readonly<Record<string, VariableType>>) {
    const { kind } = objectType(name);
    super(kind, name);
    this.#fields = fields;
  }

  field(name: string): CelType | undefined {
    const type = Object.hasOwn(this.#fields, name) ? this.#fields[name] : undefined;
    return type && typeOf(type);
  }
}

const plain: Readonly<Record<Extract<VariableType, string>, CelType>> = {
  dyn: DYN,
  string: STRING,
  bool: BOOL,
  int: INT,
  timestamp: TIMESTAMP,
  authorizer: AUTHORIZER,
  resourceCheck: RESOURCE_CHECK,
};

function typeOf(type: VariableType): CelType {
  if (typeof type === "string") return plain[type];
  if ("list" in type) return listOf(typeOf(type.list));
  if ("map" in type) return mapOf(STRING, typeOf(type.map));
  return new NamedObject(type.name, type.fields);
}
