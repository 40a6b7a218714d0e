import { readFileSync } from "node:fs";
import { join } from "node:path";
import { UnknownTypeError } from "../errors.ts";

/** The kinds of Go types, with one for each special encoding. */
export type GoKind =
  | ("string" | "bool" | "int32" | "int64" | "float64" | "bytes")
  | ("pointer" | "slice" | "map" | "struct")
  | ("time" | "microTime" | "quantity" | "intOrString" | "rawExtension" | "fieldsV1" | "json")
  | ("schemaOrArray" | "schemaOrBool" | "schemaOrStrings");

/** A Go type of Kubernetes, as encoding/json and Protobuf see it. */
export interface GoType {
  readonly kind: GoKind;
  /** The name in Go's errors: "v1.DeploymentSpec". */
  readonly name: string;
  /** The element of a pointer, a list or a map; the schema of a schemaOr…. */
  readonly element: GoType | undefined;
  /** The fields of a struct. */
  readonly fields: readonly GoField[];
  /** Whether Protobuf encodes a list as a message, with the items in field 1. */
  readonly isWrapped: boolean;
}

export interface GoField {
  /** The JSON name; "" for an embedded struct, whose fields belong to the outer one. */
  readonly json: string;
  /** The Go name of an embedded struct. */
  readonly embedded: string;
  readonly type: GoType;
  readonly omitEmpty: boolean;
  readonly omitZero: boolean;
  /** The Protobuf number; 0 for fields that Protobuf does not have. */
  readonly number: number;
  /** The strategy of strategic merge patches, such as "merge,retainKeys". */
  readonly patchStrategy: string;
  readonly patchMergeKey: string;
}

/** The generated file: types refer to each other by index. */
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

/** The type with a name such as "k8s.io/api/apps/v1.Deployment". Throws an UnknownTypeError. */
export function goTypeOf(name: string): GoType {
  const place = table().roots[name];
  if (place === undefined) throw new UnknownTypeError(name);
  return typeAt(place);
}

/** The Go type of a built-in kind, a list of it, or a kind of all groups such as Status. */
export function builtInGoType(kind: {
  readonly apiVersion: string;
  readonly kind: string;
}): string | undefined {
  const { kinds } = table();
  return kinds[`${kind.apiVersion} ${kind.kind}`] ?? kinds[kind.kind];
}

/** The fields of a struct in JSON, with those of embedded structs. */
export function jsonFields({ fields }: GoType): GoField[] {
  return fields.flatMap((field) => (field.embedded === "" ? [field] : jsonFields(field.type)));
}

function table(): Table {
  const file = join(import.meta.dirname, "../generated/go-types.json");
  loaded ??= JSON.parse(readFileSync(file, "utf8")) as Table;
  return loaded;
}

/** Referenced types are created on first use, because types can be recursive. */
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
