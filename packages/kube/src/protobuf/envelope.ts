import { WireError } from "../errors.ts";
import type { TypeMeta } from "../object/object.ts";
import { WireReader } from "./wire-reader.ts";
import { WireWriter } from "./wire-writer.ts";

export const protobufMediaType = "application/vnd.kubernetes.protobuf";

/** "k8s" and a zero byte, at the beginning of every object. */
const magic: readonly number[] = [0x6b, 0x38, 0x73, 0x00];

/** The wrapper of an object (runtime.Unknown), which carries the kind. */
export interface Envelope {
  readonly typeMeta: TypeMeta;
  /** The object's message; undefined where the field is absent. */
  readonly raw: Uint8Array | undefined;
  readonly contentEncoding: string;
  readonly contentType: string;
  /** Unknown fields, including their tags. */
  readonly unknownFields: readonly Uint8Array[];
}

export function isEnvelope(bytes: Uint8Array): boolean {
  return magic.every((byte, i) => bytes[i] === byte);
}

/** `raw` of the result is a view of the bytes. Throws a WireError. */
export function decodeEnvelope(bytes: Uint8Array): Envelope {
  if (!isEnvelope(bytes)) {
    throw new WireError(
      "provided data does not appear to be a protobuf message, expected prefix",
      0,
    );
  }
  const reader = new WireReader(bytes.subarray(magic.length));
  let typeMeta: TypeMeta = { apiVersion: "", kind: "" };
  let raw: Uint8Array | undefined;
  let contentEncoding = "";
  let contentType = "";
  const unknownFields: Uint8Array[] = [];
  while (reader.next()) {
    if (reader.field === 1) typeMeta = decodeTypeMeta(reader.message(), typeMeta);
    else if (reader.field === 2) raw = reader.bytes();
    else if (reader.field === 3) contentEncoding = reader.string();
    else if (reader.field === 4) contentType = reader.string();
    else {
      reader.skip();
      unknownFields.push(reader.raw());
    }
  }
  return { typeMeta, raw, contentEncoding, contentType, unknownFields };
}

/** Field 1 is the apiVersion here; in meta/v1 it is the kind. */
function decodeTypeMeta(reader: WireReader, before: TypeMeta): TypeMeta {
  let { apiVersion, kind } = before;
  while (reader.next()) {
    if (reader.field === 1) apiVersion = reader.string();
    else if (reader.field === 2) kind = reader.string();
    else reader.skip();
  }
  return { apiVersion, kind };
}

/** Encodes an envelope byte for byte as Kubernetes does. */
export function encodeEnvelope(
  envelope: Pick<Envelope, "typeMeta" | "raw"> & Partial<Envelope>,
): WireWriter {
  const { typeMeta, raw, contentEncoding = "", contentType = "", unknownFields = [] } = envelope;
  const writer = new WireWriter().raw(Uint8Array.from(magic));
  writer.message(1, (message) => {
    message.string(1, typeMeta.apiVersion).string(2, typeMeta.kind);
  });
  if (raw !== undefined) writer.bytes(2, raw);
  writer.string(3, contentEncoding).string(4, contentType);
  for (const field of unknownFields) writer.raw(field);
  return writer;
}
