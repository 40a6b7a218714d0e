import { DecodeError, inexactInteger, isInexact } from "@rookery/apiserver";
import type { WireReader } from "@rookery/kube";

/** Decodes the current field of a reader to its JSON value. */
export type WireRead = (reader: WireReader) => unknown;

/** By field number; other fields are skipped. */
export type WireFields = Readonly<Record<number, (reader: WireReader) => void>>;

/** Reads all fields of a message. */
export function readFields(reader: WireReader, fields: WireFields): void {
  while (reader.next()) {
    const read = fields[reader.field];
    if (read) read(reader);
    else reader.skip();
  }
}

export const readString: WireRead = (reader) => textOf(reader.bytes());
export const readBool: WireRead = (reader) => reader.bool();
export const readInt32: WireRead = (reader) => reader.int32();
export const readInt64: WireRead = (reader) => {
  const integer = reader.int64();
  if (isInexact(String(integer))) throw new DecodeError(inexactInteger(String(integer)));
  return Number(integer);
};
export const readBytes: WireRead = (reader) => base64Of(reader.bytes());

export const readFloat64: WireRead = (reader) => {
  const bits = new BigUint64Array([reader.fixed64()]);
  return new Float64Array(bits.buffer)[0];
};

/** Most texts are short ASCII, for which this is faster than a decoder. */
const shortText = 32;

export function textOf(bytes: Uint8Array): string {
  if (bytes.length > shortText) return bufferOf(bytes).toString("utf8");
  let text = "";
  for (const byte of bytes) {
    if (byte >= 128) return bufferOf(bytes).toString("utf8");
    text += String.fromCharCode(byte);
  }
  return text;
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function base64Of(bytes: Uint8Array): string {
  return bufferOf(bytes).toString("base64");
}

/** The text in field 1 of a message; undefined without the field. */
function readText(reader: WireReader): string | undefined {
  let text: string | undefined;
  readFields(reader.message(), {
    1: (field) => {
      text = textOf(field.bytes());
    },
  });
  return text;
}

export const readQuantity: WireRead = (reader) => readText(reader) ?? "0";

export const readIntOrString: WireRead = (reader) => {
  let [type, number, text] = [0, 0, ""];
  readFields(reader.message(), {
    1: (field) => {
      type = field.int32();
    },
    2: (field) => {
      number = field.int32();
    },
    3: (field) => {
      text = textOf(field.bytes());
    },
  });
  return type === 0 ? number : text;
};

/** An empty message is Go's zero time. */
export const readTime: WireRead = (reader) => {
  const time = readTimestamp(reader);
  return time && `${isoSeconds(time.seconds)}Z`;
};

export const readMicroTime: WireRead = (reader) => {
  const time = readTimestamp(reader);
  if (time === null) return null;
  const micros = String(Math.trunc(time.nanos / 1000)).padStart(6, "0");
  return `${isoSeconds(time.seconds)}.${micros}Z`;
};

function readTimestamp(reader: WireReader): { seconds: number; nanos: number } | null {
  const bytes = reader.message();
  if (!bytes.next()) return null;
  const time = { seconds: 0, nanos: 0 };
  do {
    if (bytes.field === 1) time.seconds = Number(bytes.int64());
    else if (bytes.field === 2) time.nanos = bytes.int32();
    else bytes.skip();
  } while (bytes.next());
  return time;
}

function isoSeconds(seconds: number): string {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime()))
    throw new DecodeError("Time.UTC: year outside of range [0,9999]");
  return date.toISOString().slice(0, -5);
}

/** JSON inside of Protobuf: RawExtension, FieldsV1, JSON. */
export const readRawJson: WireRead = (reader) => {
  const text = readText(reader);
  if (!text) return null;
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new DecodeError("could not read a field with raw JSON: it holds none", { cause });
  }
};
