import { readFileSync } from "node:fs";
import { join } from "node:path";
import { UnknownTypeError } from "../errors.ts";

/** What a Go type is, to those who read and write it. */
export type GoKind =
  | ("string" | "bool" | "int32" | "int64" | "float64" | "bytes")
  | ("pointer" | "slice" | "map" | "struct")
  | ("time" | "microTime" | "quantity" | "intOrString" | "rawExtension" | "fieldsV1" | "json")
  | ("schemaOrArray" | "schemaOrBool" | "schemaOrStrings");

/** A type of Kubernetes' Go code: what encoding/json and Protobuf know of it. */
export interface GoType {
  readonly kind: GoKind;
  /** As Go's errors say it: "v1.DeploymentSpec". */
  readonly name: string;
  /** Of a pointer, a list or a map; of a schemaOr…, the schema. */
  readonly element: GoType | undefined;
  /** Of a struct, in their order. */
  readonly fields: readonly GoField[];
  /** Whether a list is a message of its own in Protobuf, with its items in field 1. */
  readonly isWrapped: boolean;
}

export interface GoField {
  /** In JSON; "" for an embedded struct, whose fields are those of the outer one. */
  readonly json: string;
  /** The name in Go of an embedded struct. */
  readonly embedded: string;
  readonly type: GoType;
  readonly omitEmpty: boolean;
  readonly omitZero: boolean;
  /** In Protobuf; 0 where it is not there. */
  readonly number: number;
  /** Of strategic merge patches: "merge", "replace", "merge,retainKeys"… */
  readonly patchStrategy: string;
  readonly patchMergeKey: string;
}

/** As the generator writes it: types refer to each other by their place. */
interface Table {
  readonly roots: Readonly<Record<string, number>>;
  readonly kinds: Readonly<Record<string, string>>;
  readonly types: readonly TypeEntry[];
}

interface TypeEntry {
  readonly k: GoKind;
  readonly n?: string;
  readonly e?: number;
  readonly f?: readonly FieldEntry[];
  readonly w?: boolean;
}

interface FieldEntry {
  readonly j?: string;
  readonly g?: string;
  readonly t: number;
  readonly o?: boolean;
  readonly z?: boolean;
  readonly p?: number;
  readonly s?: string;
  readonly m?: string;
}

let loaded: Table | undefined;
const made = new Map<number, GoType>();

/** By its name, such as "k8s.io/api/apps/v1.Deployment". Throws an UnknownTypeError. */
export function goTypeOf(name: string): GoType {
  const place = table().roots[name];
  if (place === undefined) throw new UnknownTypeError(name);
  return typeAt(place);
}

/**
 * The name of the Go type of a kind that is built in, for `protobufDecoder`: served kinds, their
 * lists, and the options and statuses that every group has.
 */
export function builtInGoType(kind: {
  readonly apiVersion: string;
  readonly kind: string;
}): string | undefined {
  const { kinds } = table();
  return kinds[`${kind.apiVersion} ${kind.kind}`] ?? kinds[kind.kind];
}

/** The fields of a struct with those of its embedded ones in their place: what JSON sees. */
export function jsonFields({ fields }: GoType): GoField[] {
  return fields.flatMap((field) => (field.embedded === "" ? [field] : jsonFields(field.type)));
}

function table(): Table {
  const file = join(import.meta.dirname, "../generated/go-types.json");
  loaded ??= JSON.parse(readFileSync(file, "utf8")) as Table;
  return loaded;
}

/** What a type refers to is made when it is asked for: types may be recursive. */
function typeAt(place: number): GoType {
  const before = made.get(place);
  if (before !== undefined) return before;
  const entry = table().types[place];
  if (entry === undefined) throw new UnknownTypeError(`at ${place}`);
  const type = typeOf(entry);
  made.set(place, type);
  return type;
}

function typeOf(entry: TypeEntry): GoType {
  let fields: readonly GoField[] | undefined;
  return {
    kind: entry.k,
    name: entry.n ?? "",
    isWrapped: entry.w === true,
    get element() {
      return entry.e === undefined ? undefined : typeAt(entry.e);
    },
    get fields() {
      fields ??= (entry.f ?? []).map(fieldOf);
      return fields;
    },
  };
}

function fieldOf(entry: FieldEntry): GoField {
  return {
    json: entry.j ?? "",
    embedded: entry.g ?? "",
    type: typeAt(entry.t),
    omitEmpty: entry.o === true,
    omitZero: entry.z === true,
    number: entry.p ?? 0,
    patchStrategy: entry.s ?? "",
    patchMergeKey: entry.m ?? "",
  };
}
