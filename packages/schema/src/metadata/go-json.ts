import { formatTime, ParseError, parseTime } from "@rookery/kube";
import { getOwn, isArray, isInt64, isObject, type JSONObject, type JSONValue } from "../json.ts";

/** The JSON shape of a Go struct. */
export type GoType =
  | { readonly kind: "string" | "int64" | "bool" | "time" | "raw" }
  | { readonly kind: "map"; readonly value: GoType }
  | { readonly kind: "list"; readonly element: GoType }
  | GoStruct;

export interface GoStruct {
  readonly kind: "struct";
  readonly name: string;
  readonly fields: ReadonlyMap<string, GoField>;
}

export interface GoField {
  readonly type: GoType;
  /** Written even if empty. */
  readonly always?: boolean;
  /** A pointer: written if it was set. */
  readonly pointer?: boolean;
}

/** A value that does not fit the struct, in Go's words. */
export class GoJsonError extends Error {}

export interface RoundTrip {
  readonly value: JSONValue | undefined;
  /** Paths of fields that the struct lacks, relative to it. */
  readonly unknown: readonly string[];
}

/** Converts a value to a Go type and back, which drops unknown and empty fields. */
export function roundTrip(value: JSONValue, type: GoStruct): RoundTrip {
  const reader = new GoReader(type.name);
  return { value: reader.read(value, type, []), unknown: reader.unknown };
}

class GoReader {
  readonly unknown: string[] = [];
  readonly #struct: string;

  constructor(struct: string) {
    this.#struct = struct;
  }

  read(value: JSONValue, type: GoType, path: readonly string[]): JSONValue | undefined {
    if (value === null) return undefined;
    switch (type.kind) {
      case "string":
        return typeof value === "string" ? value : this.#refuse(value, "string", path);
      case "int64":
        return typeof value === "number" && isInt64(value)
          ? value
          : this.#refuse(value, "int64", path);
      case "bool":
        return typeof value === "boolean" ? value : this.#refuse(value, "bool", path);
      case "time":
        return this.#time(value, path);
      case "raw":
        return value;
      case "map":
        return isObject(value)
          ? this.#map(value, type.value, path)
          : this.#refuse(value, goName(type), path);
      case "list":
        return isArray(value)
          ? this.#list(value, type.element, path)
          : this.#refuse(value, goName(type), path);
      case "struct":
        return isObject(value)
          ? this.#fields(value, type, path)
          : this.#refuse(value, goName(type), path);
    }
  }

  #time(value: JSONValue, path: readonly string[]): JSONValue | undefined {
    if (typeof value !== "string") return this.#refuse(value, "string", []);
    try {
      return formatTime(parseTime(value));
    } catch (error) {
      if (error instanceof ParseError) throw new GoJsonError(error.reason);
      throw new GoJsonError(`cannot read ${path.join(".")}`);
    }
  }

  #map(value: JSONObject, type: GoType, path: readonly string[]): JSONObject {
    const entries = Object.entries(value).map(([key, entry]): [string, JSONValue] => {
      return [key, this.read(entry, type, path) ?? zeroOf(type)];
    });
    return Object.fromEntries(entries);
  }

  #list(value: readonly JSONValue[], type: GoType, path: readonly string[]): readonly JSONValue[] {
    const [last = "", ...outer] = path.toReversed();
    return value.map((item, index) => {
      const at = [...outer.toReversed(), `${last}[${index}]`];
      return this.read(item, type, at) ?? zeroOf(type);
    });
  }

  #fields(value: JSONObject, type: GoStruct, path: readonly string[]): JSONObject {
    for (const key of Object.keys(value)) {
      if (!type.fields.has(key)) this.unknown.push([...path, key].join("."));
    }
    const entries: [string, JSONValue][] = [];
    for (const [name, field] of type.fields) {
      const given = getOwn(value, name);
      const read = given === undefined ? undefined : this.read(given, field.type, [...path, name]);
      const written = field.always ? (read ?? zeroOf(field.type)) : read;
      const empty = written === undefined || (!field.always && !field.pointer && isEmpty(written));
      if (!empty) entries.push([name, written]);
    }
    return Object.fromEntries(entries);
  }

  #refuse(value: JSONValue, goType: string, path: readonly string[]): never {
    const field = path.length === 0 ? "value" : `struct field ${this.#struct}.${fieldName(path)}`;
    throw new GoJsonError(
      `json: cannot unmarshal ${jsonName(value, goType)} into Go ${field} of type ${goType}`,
    );
  }
}

/** Errors name fields without list indices. */
function fieldName(path: readonly string[]): string {
  return path.map((part) => part.replace(/\[\d+\]$/, "")).join(".");
}

/** Go shows the number only where it expects another number. */
function jsonName(value: JSONValue, goType: string): string {
  if (isArray(value)) return "array";
  if (isObject(value)) return "object";
  if (typeof value === "number" && goType === "int64") return `number ${value}`;
  return typeof value === "boolean" ? "bool" : typeof value;
}

function goName(type: GoType): string {
  switch (type.kind) {
    case "map":
      return `map[string]${goName(type.value)}`;
    case "list":
      return `[]${goName(type.element)}`;
    case "struct":
      return `v1.${type.name}`;
    default:
      return type.kind;
  }
}

function zeroOf(type: GoType): JSONValue {
  switch (type.kind) {
    case "string":
      return "";
    case "int64":
      return 0;
    case "bool":
      return false;
    case "struct":
      return Object.fromEntries(
        [...type.fields]
          .filter(([, { always }]) => always)
          .map(([name, field]) => [name, zeroOf(field.type)]),
      );
    default:
      return null;
  }
}

function isEmpty(value: JSONValue): boolean {
  if (isArray(value)) return value.length === 0;
  if (isObject(value)) return Object.keys(value).length === 0;
  return value === "" || value === 0 || value === false || value === null;
}
