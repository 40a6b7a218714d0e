import { DecodeError } from "@rookery/apiserver";
import { WireReader, wireTypes } from "@rookery/kube";
import type { GoKind, GoType } from "../go-types.ts";
import {
  readBool,
  readBytes,
  readFields,
  readFloat64,
  readInt32,
  readInt64,
  readIntOrString,
  readMicroTime,
  readQuantity,
  readRawJson,
  readString,
  readTime,
  textOf,
  type WireRead,
} from "./wire-values.ts";

type Target = Record<string, unknown>;

/** Decodes the current field of a reader into an object. */
type Fill = (target: Target, reader: WireReader) => void;

const messages = new WeakMap<GoType, ReadonlyMap<number, Fill>>();

/**
 * The limit of JSON bodies too. A nested schema takes five bytes, and a call in each recursive
 * function.
 */
const maxDepth = 1000;
/**
 * The depth of the current message. Decoding is synchronous, so that there is one body at a time.
 */
let depth = 0;

/** Decodes a message of a struct into an object, and merges messages that come in parts. */
export function fillMessage(target: Target, type: GoType, reader: WireReader): Target {
  if (depth >= maxDepth) throw new DecodeError("proto: exceeded max depth");
  depth++;
  try {
    readAll(target, fieldsOf(type), reader);
  } finally {
    depth--;
  }
  return target;
}

function readAll(target: Target, fields: ReadonlyMap<number, Fill>, reader: WireReader): void {
  while (reader.next()) {
    const fill = fields.get(reader.field);
    if (fill) fill(target, reader);
    else reader.skip();
  }
}

function fieldsOf(type: GoType): ReadonlyMap<number, Fill> {
  const known = messages.get(type);
  if (known) return known;
  const fields = new Map<number, Fill>();
  messages.set(type, fields);
  for (const { json, embedded, number, type: fieldType } of type.fields) {
    if (number === 0) continue;
    if (embedded === "") fields.set(number, fillOf(json, fieldType));
    else fields.set(number, (target, reader) => fillMessage(target, fieldType, reader.message()));
  }
  return fields;
}

function fillOf(name: string, type: GoType): Fill {
  if (type.kind === "slice" && !type.isWrapped) return fillSlice(name, elementOf(type));
  if (type.kind === "map") return fillMap(name, elementOf(type));
  if (type.kind === "pointer") return fillOf(name, elementOf(type));
  if (type.kind === "struct") {
    return (target, reader) => {
      target[name] = fillMessage((target[name] as Target) ?? {}, type, reader.message());
    };
  }
  const read = readOf(type);
  return (target, reader) => {
    target[name] = read(reader);
  };
}

function fillSlice(name: string, element: GoType): Fill {
  const read = readOf(element);
  const packs = element.kind === "int32" || element.kind === "int64" || element.kind === "bool";
  return (target, reader) => {
    const items = listIn(target, name);
    if (!packs || reader.wireType !== wireTypes.bytes) items.push(read(reader));
    else for (const item of packed(reader, element.kind)) items.push(item);
  };
}

function listIn(target: Target, name: string): unknown[] {
  const items = (target[name] ?? []) as unknown[];
  target[name] = items;
  return items;
}

const maxVarintBytes = 10;

/** Numbers without tags. */
function* packed(reader: WireReader, kind: GoKind): Generator<unknown> {
  const bytes = reader.bytes();
  for (let at = 0; at < bytes.length; ) {
    let end = at;
    while ((bytes[end] ?? 0) >= 128 && end - at < maxVarintBytes) end++;
    const one = new WireReader(Uint8Array.of(8, ...bytes.subarray(at, end + 1)));
    one.next();
    yield kind === "bool" ? one.bool() : Number(one.int64());
    at = end + 1;
  }
}

function fillMap(name: string, element: GoType): Fill {
  const read = readOf(element);
  return (target, reader) => {
    let key = "";
    let value: unknown = null;
    readFields(reader.message(), {
      1: (field) => {
        key = textOf(field.bytes());
      },
      2: (field) => {
        value = read(field);
      },
    });
    const map = (target[name] ?? {}) as Target;
    target[name] = map;
    setKey(map, key, value);
  };
}

/** Sets a key with any name, such as "__proto__". */
function setKey(map: Target, key: string, value: unknown): void {
  if (key !== "__proto__") map[key] = value;
  else Object.defineProperty(map, key, { value, enumerable: true, writable: true });
}

function elementOf({ element, name }: GoType): GoType {
  if (element === undefined) throw new TypeError(`${name} has no element`);
  return element;
}

const scalars: Readonly<Partial<Record<GoKind, WireRead>>> = {
  string: readString,
  bool: readBool,
  int32: readInt32,
  int64: readInt64,
  float64: readFloat64,
  bytes: readBytes,
  time: readTime,
  microTime: readMicroTime,
  quantity: readQuantity,
  intOrString: readIntOrString,
  rawExtension: readRawJson,
  fieldsV1: readRawJson,
  json: readRawJson,
};

function readOf(type: GoType): WireRead {
  if (type.kind === "pointer") return readOf(elementOf(type));
  if (type.kind === "struct") return (reader) => fillMessage({}, type, reader.message());
  if (type.kind === "slice") return readItems(elementOf(type));
  const scalar = scalars[type.kind];
  if (scalar) return scalar;
  return readSchemaOr(type.kind, elementOf(type));
}

/** A list that is encoded as a message. */
function readItems(element: GoType): WireRead {
  const read = readOf(element);
  return (reader) => {
    const items: unknown[] = [];
    readFields(reader.message(), { 1: (field) => items.push(read(field)) });
    return items;
  };
}

/** A union of a schema and another type. */
function readSchemaOr(kind: GoKind, schema: GoType): WireRead {
  const readSchema: WireRead = (reader) => fillMessage({}, schema, reader.message());
  return (reader) => {
    let allows = false;
    let found: unknown;
    const items: unknown[] = [];
    const take = (field: WireReader) => {
      found = readSchema(field);
    };
    const readBoolean = (field: WireReader) => {
      allows = field.bool();
    };
    const readItem = kind === "schemaOrArray" ? readSchema : readString;
    readFields(
      reader.message(),
      kind === "schemaOrBool"
        ? { 1: readBoolean, 2: take }
        : { 1: take, 2: (field) => items.push(readItem(field)) },
    );
    if (kind === "schemaOrBool") return found ?? allows;
    return items.length > 0 ? items : (found ?? null);
  };
}
