import { printValue, quote } from "@rookery/kube";
import { InvalidValueError, ListItemError } from "../errors.ts";
import {
  elementOfItem,
  type ListSchema,
  type MapSchema,
  type MergeSchema,
  type ScalarType,
  schemaOfKey,
  shapeIn,
  shapeOf,
} from "./merge-schema.ts";
import { type PathElement, printElement } from "./path-element.ts";

interface Problem {
  path: string;
  readonly why: string;
}

type Json = Readonly<Record<string, unknown>>;

/** Throws an InvalidValueError for unknown fields or wrong types. */
export function assertMergeable(
  schema: MergeSchema,
  value: unknown,
  options: { readonly allowsRepeated: boolean },
): void {
  const validation = new Validation(options.allowsRepeated);
  validation.visit(schema, value);
  if (validation.problems.length === 0) return;
  const describe = ({ path, why }: Problem) => (path === "" ? why : `${path}: ${why}`);
  throw new InvalidValueError(validation.problems.map(describe));
}

class Validation {
  /** Paths are relative to the value being visited. */
  readonly problems: Problem[] = [];
  readonly #allowsRepeated: boolean;

  constructor(allowsRepeated: boolean) {
    this.#allowsRepeated = allowsRepeated;
  }

  visit(schema: MergeSchema, value: unknown): void {
    const shape = shapeIn(schema, value);
    if (shape === "map" && schema.map) this.#visitMap(schema.map, value);
    else if (shape === "list" && schema.list) this.#visitList(schema.list, value);
    else if (shape === "scalar" && schema.scalar) this.#visitScalar(schema.scalar, value);
    else this.#add("schema error: invalid atom: inlined");
  }

  #visitScalar(type: ScalarType, value: unknown): void {
    if (value === null || isOf(type, value)) return;
    if (type === "numeric") {
      this.#add(`expected numeric (int or float), got ${goTypeOf(value)}`);
    } else if (type === "string") {
      this.#add(`expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`);
    } else {
      const expected = type === "boolean" ? type : "any scalar";
      this.#add(`expected ${expected}, got &{${printValue(value)}}`);
    }
  }

  #visitMap(schema: MapSchema, value: unknown): void {
    if (value === null) return;
    if (shapeOf(value) !== "map") {
      this.#add(`expected map, got &{${printValue(value)}}`);
      return;
    }
    for (const key of Object.keys(value as Json)) {
      const part = schemaOfKey(schema, key);
      if (part === undefined) {
        this.#add("field not declared in schema", `.${key}`);
        return;
      }
      this.#visitPart(part, (value as Json)[key], () => `.${key}`);
    }
  }

  #visitList(schema: ListSchema, value: unknown): void {
    if (value === null) return;
    if (!Array.isArray(value)) {
      this.#add(`expected list, got &{${printValue(value)}}`);
      return;
    }
    const seen = new Set<PathElement>();
    for (const [index, item] of value.entries()) {
      const element = this.#elementOf(schema, item, index);
      if (element === undefined) return;
      if (seen.has(element) && !this.#allowsRepeated) {
        this.#add(`duplicate entries for key ${printElement(element)}`);
      }
      seen.add(element);
      this.#visitPart(schema.items, item, () => printElement(element));
    }
  }

  #elementOf(schema: ListSchema, item: unknown, index: number): PathElement | undefined {
    if (schema.type === "atomic") return `i:${index}`;
    try {
      return elementOfItem(schema, item);
    } catch (error) {
      if (!(error instanceof ListItemError)) throw error;
      this.#add(`element ${index}: ${error.message}`);
      return undefined;
    }
  }

  /** The path is computed only for problems. */
  #visitPart(schema: MergeSchema, value: unknown, where: () => string): void {
    const before = this.problems.length;
    this.visit(schema, value);
    if (this.problems.length === before) return;
    const at = where();
    for (const problem of this.problems.slice(before)) problem.path = at + problem.path;
  }

  #add(why: string, path = ""): void {
    this.problems.push({ path, why });
  }
}

function isOf(type: ScalarType, value: unknown): boolean {
  if (type === "untyped") return typeof value !== "object";
  return typeof value === (type === "numeric" ? "number" : type);
}

function goTypeOf(value: unknown): string {
  if (Array.isArray(value)) return "[]interface {}";
  if (typeof value === "object") return "map[string]interface {}";
  if (typeof value !== "number") return typeof value === "boolean" ? "bool" : typeof value;
  return Number.isInteger(value) ? "int64" : "float64";
}

/** As Go's `%#v`. */
function goSyntax(value: unknown): string {
  if (value === null || value === undefined) return "interface {}(nil)";
  if (typeof value === "string") return quote(value);
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(", ")}}`;
  const keys = Object.keys(value).sort();
  const parts = keys.map((key) => `${quote(key)}:${goSyntax((value as Json)[key])}`);
  return `map[string]interface {}{${parts.join(", ")}}`;
}
