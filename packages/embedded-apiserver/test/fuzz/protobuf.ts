import { encodeEnvelope, WireWriter } from "@rookery/kube";
import { type GoField, type GoType, goTypeOf } from "../../src/types/go-types.ts";

/** An object in Kubernetes' Protobuf; what does not fit its type is written as what it is. */
export function protobufOf(
  object: Readonly<Record<string, unknown>>,
  { apiVersion, kind, goType }: { apiVersion: string; kind: string; goType: string },
): Uint8Array {
  const writer = new WireWriter();
  writeStruct(writer, goTypeOf(goType), object);
  return encodeEnvelope({ typeMeta: { apiVersion, kind }, raw: writer.finish() }).finish();
}

function writeStruct(
  writer: WireWriter,
  type: GoType,
  value: Readonly<Record<string, unknown>>,
): void {
  for (const field of type.fields) writeField(writer, field, value);
}

function writeField(
  writer: WireWriter,
  field: GoField,
  holder: Readonly<Record<string, unknown>>,
): void {
  const { number, json, embedded, type } = field;
  if (number === 0) return;
  if (embedded !== "") writer.message(number, (inner) => writeStruct(inner, type, holder));
  else if (Object.hasOwn(holder, json)) writeValue(writer, { number, type }, holder[json]);
}

interface Slot {
  readonly number: number;
  readonly type: GoType;
}

function writeValue(writer: WireWriter, { number, type }: Slot, value: unknown): void {
  const { kind, element } = type;
  if (value === null || value === undefined) return;
  if (kind === "pointer" && element) writeValue(writer, { number, type: element }, value);
  else if (kind === "slice" && element && Array.isArray(value)) {
    for (const item of value) writeValue(writer, { number, type: element }, item);
  } else if (kind === "map" && element && isRecord(value)) {
    for (const [key, item] of Object.entries(value)) {
      writer.message(number, (entry) =>
        writeValue(entry.string(1, key), { number: 2, type: element }, item),
      );
    }
  } else if (kind === "struct" && isRecord(value)) {
    writer.message(number, (inner) => writeStruct(inner, type, value));
  } else writeScalar(writer, number, { kind, value });
}

function writeScalar(
  writer: WireWriter,
  number: number,
  { kind, value }: { kind: string; value: unknown },
): void {
  if (kind === "bytes" && typeof value === "string")
    writer.bytes(number, Buffer.from(value, "base64"));
  else if (kind === "quantity") writer.message(number, (inner) => inner.string(1, String(value)));
  else if (kind === "intOrString") {
    writer.message(number, (inner) =>
      typeof value === "number"
        ? inner.varint(1, 0).varint(2, Math.trunc(value) || 0)
        : inner.varint(1, 1).string(3, String(value)),
    );
  } else if (kind === "time" || kind === "microTime") {
    const seconds = Math.trunc(Date.parse(String(value)) / 1000) || 0;
    writer.message(number, (inner) => inner.varint(1, seconds));
  } else if (typeof value === "boolean") writer.bool(number, value);
  else if (typeof value === "number" && Number.isSafeInteger(value)) writer.varint(number, value);
  else writer.string(number, typeof value === "string" ? value : JSON.stringify(value));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
