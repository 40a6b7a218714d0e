export type Kind =
  | "dyn"
  | "bool"
  | "bytes"
  | "double"
  | "duration"
  | "error"
  | "int"
  | "list"
  | "map"
  | "null"
  | "opaque"
  | "string"
  | "struct"
  | "timestamp"
  | "type"
  | "typeParam"
  | "uint";

/** A CEL type; also a value, as in `type(self) == string`. */
export class CelType {
  readonly kind: Kind;
  readonly name: string;
  readonly params: readonly CelType[];

  constructor(kind: Kind, name: string, params: readonly CelType[] = []) {
    this.kind = kind;
    this.name = name;
    this.params = params;
  }

  param(index: number): CelType {
    return this.params[index] ?? DYN;
  }

  isExactly(other: CelType): boolean {
    return this.#same(other, true);
  }

  /** As `isExactly`, but type parameters may have different names. */
  isEquivalentTo(other: CelType): boolean {
    return this.#same(other, false);
  }

  #same(other: CelType, parameterNames: boolean): boolean {
    if (this === other) return true;
    if (this.kind !== other.kind || this.params.length !== other.params.length) return false;
    if ((parameterNames || this.kind !== "typeParam") && this.name !== other.name) return false;
    return this.params.every((param, i) => param.#same(other.param(i), parameterNames));
  }

  toString(): string {
    switch (this.kind) {
      case "duration":
        return "duration";
      case "timestamp":
        return "timestamp";
      case "error":
        return "!error!";
      case "null":
        return "null";
      default:
        return this.params.length === 0 ? this.name : `${this.name}(${this.params.join(", ")})`;
    }
  }
}

export const DYN = new CelType("dyn", "dyn");
export const BOOL = new CelType("bool", "bool");
export const BYTES = new CelType("bytes", "bytes");
export const DOUBLE = new CelType("double", "double");
export const DURATION = new CelType("duration", "google.protobuf.Duration");
export const ERROR = new CelType("error", "error");
export const INT = new CelType("int", "int");
export const NULL = new CelType("null", "null_type");
export const STRING = new CelType("string", "string");
export const TIMESTAMP = new CelType("timestamp", "google.protobuf.Timestamp");
export const TYPE = new CelType("type", "type");
export const UINT = new CelType("uint", "uint");
export const LIST = listOf(DYN);
export const MAP = mapOf(DYN, DYN);
export const OPTIONAL = new CelType("opaque", "optional_type");

export function listOf(element: CelType): CelType {
  return new CelType("list", "list", [element]);
}

export function mapOf(key: CelType, value: CelType): CelType {
  return new CelType("map", "map", [key, value]);
}

export function optionalOf(type: CelType): CelType {
  return new CelType("opaque", "optional_type", [type]);
}

export function typeOfType(type: CelType): CelType {
  return new CelType("type", "type", [type]);
}

export function objectType(name: string): CelType {
  return new CelType("struct", name);
}

export function opaqueType(name: string): CelType {
  return new CelType("opaque", name);
}

export function typeParam(name: string): CelType {
  return new CelType("typeParam", name);
}

export function isOptional(type: CelType): boolean {
  return type.kind === "opaque" && type.name === "optional_type";
}

/** The types of the language that have a name in expressions, as in `type(x) == string`. */
// biome-ignore format: a list of words
export const LANGUAGE_TYPES: readonly CelType[] = [
  BOOL, BYTES, DOUBLE, DURATION, INT, LIST, MAP, NULL, OPTIONAL, STRING, TIMESTAMP, TYPE, UINT,
];
