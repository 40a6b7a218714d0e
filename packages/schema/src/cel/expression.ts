import { isArray, isInt64, isObject } from "../json-object.ts";
import type { JSONValue } from "../json-schema-props.ts";
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
} from "./check/cel-type.ts";
import type { Declarations } from "./check/checked.ts";
import { runtimeType } from "./check/type-names.ts";
import { compile, type Program } from "./compile.ts";
import { CostLimitExceeded, Meter } from "./cost/meter.ts";
import {
  AUTHORIZER,
  type CelAuthorizer,
  type CelResourceCheck,
  RESOURCE_CHECK,
} from "./functions/authorization.ts";
import { CelError } from "./values/cel-error.ts";
import { Opaque } from "./values/opaque.ts";
import type { Value } from "./values/value.ts";
import { ValueList } from "./values/value-list.ts";
import { ValueMap } from "./values/value-map.ts";

/** What a variable, or a field of one, holds. */
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

/** What a variable is when it is asked: data, or whom to ask. */
export type VariableValue = JSONValue | CelAuthorizer | CelResourceCheck;

/** A condition that can be asked of any number of values. */
export interface Expression {
  /**
   * What it says of variables, and what asking costed; a text tells why it says nothing. Throws
   * nothing.
   */
  evaluate(
    variables: Readonly<Record<string, VariableValue>>,
    costLimit: number,
  ): { readonly result: boolean | string; readonly cost: number };
}

/**
 * Compiles a condition about variables, with what Kubernetes' expressions know; gives back why it
 * can't be, in the words of kube-apiserver.
 */
export function compileExpression(
  text: string,
  variables: Readonly<Record<string, VariableType>>,
): Expression | string {
  const program = compile(text, declarationsOf(variables), () => undefined);
  if (!("evaluate" in program)) {
    const phase = program.phase === "compilation" ? "compilation" : "program instantiation";
    return `${phase} failed: ${program.message}`;
  }
  if (program.type.kind !== BOOL.kind) return `must evaluate to bool but got ${program.type}`;
  return { evaluate: (values, costLimit) => evaluate(program, values, costLimit) };
}

function evaluate(
  program: Program,
  values: Readonly<Record<string, VariableValue>>,
  costLimit: number,
): { readonly result: boolean | string; readonly cost: number } {
  const meter = new Meter(costLimit);
  const variables = new Map(
    Object.entries(values).map(([name, value]) => [
      name,
      value instanceof Opaque ? value : celValueOf(value),
    ]),
  );
  try {
    const result = program.evaluate(variables, meter);
    if (typeof result === "boolean") return { result, cost: meter.cost };
    const why = result instanceof CelError ? result.message : "no such overload";
    return { result: why, cost: meter.cost };
  } catch (error) {
    if (!(error instanceof CostLimitExceeded)) throw error;
    return { result: error.message, cost: meter.cost };
  }
}

/** Data without a schema: whole numbers are ints. */
function celValueOf(data: JSONValue): Value {
  if (isArray(data)) return new ValueList(data.map(celValueOf));
  if (isObject(data)) {
    return new ValueMap(Object.entries(data).map(([key, value]) => [key, celValueOf(value)]));
  }
  return typeof data === "number" && isInt64(data) ? BigInt(data) : (data as Value);
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

/** An object with known fields. */
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
