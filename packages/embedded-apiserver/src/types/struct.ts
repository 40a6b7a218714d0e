import { type GoField, type GoType, jsonFields } from "./go-types.ts";
import { describeValue, type Read, type StructStep } from "./reading.ts";

/** A field of a struct or of an embedded struct. */
interface FlatField {
  readonly step: StructStep;
  readonly index: number;
  readonly read: Read;
  /** Returns the value of an absent field; undefined for fields that are omitted. */
  readonly zero: (() => unknown) | undefined;
  /** Whether empty values are omitted (omitempty), and zero values (omitzero). */
  readonly omits: boolean;
  readonly omitsZero: boolean;
}

export interface ReaderSource {
  readerOf(type: GoType): Read;
  /** The zero value of a type in JSON. */
  zeroOf(type: GoType): unknown;
}

/** Decodes a struct, with fields in the order of Go and zero values for absent ones. */
export function structReader(type: GoType, source: ReaderSource): Read {
  const fields = flatten(type, source);
  const byName = new Map(fields.map((field) => [field.step.json, field]));
  return (value, reading) => {
    if (typeof value !== "object" || Array.isArray(value) || value === null) {
      return reading.mismatch(describeValue(value), type.name);
    }
    const values: unknown[] = new Array(fields.length);
    const given = value as Record<string, unknown>;
    for (const name of Object.keys(given)) {
      const field = byName.get(name);
      const item = given[name];
      if (field === undefined) reading.unknown(name);
      else if (item !== null && item !== undefined) {
        reading.enter(field.step, given, name);
        values[field.index] = field.read(item, reading);
        reading.leave();
      }
    }
    return write(fields, values);
  };
}

function write(fields: readonly FlatField[], values: readonly unknown[]): Record<string, unknown> {
  const written: Record<string, unknown> = {};
  for (const { step, index, zero, omits, omitsZero } of fields) {
    const value = values[index];
    if (value === undefined || value === null) {
      if (zero !== undefined) written[step.json] = zero();
      else if (value === null && !omits && !omitsZero) written[step.json] = null;
    } else if (!omits || !isEmpty(value)) written[step.json] = value;
  }
  return written;
}

function isEmpty(value: unknown): boolean {
  if (typeof value !== "object") return value === "" || value === 0 || value === false;
  if (Array.isArray(value)) return value.length === 0;
  for (const _ in value) return false;
  return true;
}

function flatten(type: GoType, source: ReaderSource): FlatField[] {
  const owner = type.name.slice(type.name.indexOf(".") + 1);
  return jsonFields(type).map((field, index) => ({
    step: { json: field.json, owner },
    index,
    read: source.readerOf(field.type),
    zero: isWrittenEmpty(field) ? () => source.zeroOf(field.type) : undefined,
    omits: field.omitEmpty && canBeEmpty.has(field.type.kind),
    omitsZero: field.omitZero,
  }));
}

/** The kinds that omitempty affects; a struct is never empty in Go. */
const canBeEmpty: ReadonlySet<string> = new Set([
  ...["string", "bool", "int32", "int64", "float64", "bytes", "slice", "map"],
]);

function isWrittenEmpty({ type, omitEmpty, omitZero }: GoField): boolean {
  if (omitZero) return false;
  return !omitEmpty || !(canBeEmpty.has(type.kind) || type.kind === "pointer");
}

/** A list. Null items become the zero value of their type. */
export function sliceReader(type: GoType, element: Read, zero: () => unknown): Read {
  return (value, reading) => {
    if (!Array.isArray(value)) return reading.mismatch(describeValue(value), type.name);
    if (value.length === 0 && !reading.keepsEmpty && !type.isWrapped) return null;
    return value.map((item, index) => {
      if (item === null) return zero();
      reading.enter(index, value, index);
      const read = element(item, reading);
      reading.leave();
      return read;
    });
  };
}

/** A map with sorted keys. */
export function mapReader({ name }: GoType, element: Read, zero: () => unknown): Read {
  return (value, reading) => {
    if (typeof value !== "object" || Array.isArray(value) || value === null) {
      return reading.mismatch(describeValue(value), name);
    }
    // In the order of the text, because the first problem is reported.
    const entries = Object.entries(value);
    for (const entry of entries) {
      const [key, item] = entry;
      if (item === null) entry[1] = zero();
      else {
        reading.enter(key, value, key);
        entry[1] = element(item, reading);
        reading.leave();
      }
    }
    if (entries.length === 0 && !reading.keepsEmpty) return null;
    return Object.fromEntries(isOrdered(entries) ? entries : entries.sort(byKey));
  };
}

type Entry = readonly [string, unknown];

/** Most maps are sorted already, and checking is cheaper than sorting. */
function isOrdered(entries: readonly Entry[]): boolean {
  let last = "";
  for (const [key] of entries) {
    if (key < last) return false;
    last = key;
  }
  return true;
}

function byKey([a]: Entry, [b]: Entry): number {
  return a < b ? -1 : 1;
}
