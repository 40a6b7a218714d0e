import type { GoKind, GoType } from "./go-types.ts";
import { type MakeRead, type Read, Reading } from "./reading.ts";
import {
  boolReader,
  bytesReader,
  floatReader,
  int32Reader,
  int64Reader,
  intOrStringReader,
  microTimeReader,
  quantityReader,
  rawReader,
  schemaOrArrayReader,
  schemaOrBoolReader,
  schemaOrStringsReader,
  stringReader,
  timeReader,
} from "./scalars.ts";
import { mapReader, type ReaderSource, sliceReader, structReader } from "./struct.ts";

const structs = new WeakMap<GoType, Read>();
const source: ReaderSource = { readerOf, zeroOf };

export function readerOf(type: GoType): Read {
  if (type.kind !== "struct") return makers[type.kind](type);
  // Created on first use, because types can be recursive.
  let read: Read | undefined;
  return (value, reading) => {
    read ??= structReaderOf(type);
    return read(value, reading);
  };
}

function structReaderOf(type: GoType): Read {
  const read = structs.get(type) ?? structReader(type, source);
  structs.set(type, read);
  return read;
}

function elementOf({ element, name }: GoType): GoType {
  if (element === undefined) throw new TypeError(`${name} has no element`);
  return element;
}

const makers: Readonly<Record<GoKind, MakeRead>> = {
  string: stringReader,
  bool: boolReader,
  int32: int32Reader,
  int64: int64Reader,
  float64: floatReader,
  bytes: bytesReader,
  time: timeReader,
  microTime: microTimeReader,
  quantity: quantityReader,
  intOrString: intOrStringReader,
  rawExtension: rawReader,
  fieldsV1: rawReader,
  json: rawReader,
  schemaOrArray: (type) => schemaOrArrayReader(readerOf(elementOf(type))),
  schemaOrBool: (type) => schemaOrBoolReader(readerOf(elementOf(type))),
  schemaOrStrings: (type) => schemaOrStringsReader(readerOf(elementOf(type))),
  pointer: (type) => readerOf(elementOf(type)),
  slice: (type) => sliceReader(type, readerOf(elementOf(type)), () => zeroOf(elementOf(type))),
  map: (type) => mapReader(type, readerOf(elementOf(type)), () => zeroInMap(elementOf(type))),
  struct: structReaderOf,
};

const zeros: Readonly<Partial<Record<GoKind, unknown>>> = {
  string: "",
  bool: false,
  int32: 0,
  int64: 0,
  float64: 0,
  quantity: "0",
  intOrString: 0,
  schemaOrBool: false,
};

function zeroOf(type: GoType): unknown {
  if (type.kind === "struct") return readerOf(type)({}, new Reading(true));
  return zeros[type.kind] ?? null;
}

/** Protobuf has no entries without a value: they become empty. */
function zeroInMap(type: GoType): unknown {
  if (type.kind === "bytes") return "";
  return type.isWrapped ? [] : zeroOf(type);
}
