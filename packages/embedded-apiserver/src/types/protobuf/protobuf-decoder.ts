import { DecodeError, type ProtobufDecoder } from "@rookery/apiserver";
import {
  decodeEnvelope,
  type Envelope,
  isEnvelope,
  type TypeMeta,
  WireError,
  WireReader,
} from "@rookery/kube";
import { goTypeOf } from "../go-types.ts";
import { fillMessage } from "./message-reader.ts";

/**
 * Decodes bodies in Kubernetes' Protobuf to JSON objects for `typedDecoder`. `kinds` returns the Go type
 * of a kind. Only the TypeMeta of other kinds is decoded, for the error message. Throws DecodeErrors with
 * the messages of kube-apiserver.
 */
export function protobufDecoder(kinds: (kind: TypeMeta) => string | undefined): ProtobufDecoder {
  return (body) => {
    const { typeMeta, raw } = openEnvelope(body);
    const goType = kinds(typeMeta);
    if (goType === undefined || raw === undefined) return typeMeta;
    try {
      return fillMessage({ ...typeMeta }, goTypeOf(goType), new WireReader(raw));
    } catch (error) {
      throw unreadable(error, typeMeta);
    }
  };
}

function openEnvelope(body: Uint8Array): Envelope {
  if (body.length === 0) throw new DecodeError("empty data");
  if (!isEnvelope(body)) {
    const what = "provided data does not appear to be a protobuf message";
    throw new DecodeError(`${what}, expected prefix [107 56 115 0]`);
  }
  if (body.length === 4) throw new DecodeError("empty body");
  try {
    return decodeEnvelope(body);
  } catch (error) {
    throw unreadable(error);
  }
}

function unreadable(error: unknown, kind?: TypeMeta): unknown {
  const about = { cause: error, ...(kind && { kind }) };
  if (error instanceof DecodeError) return new DecodeError(error.message, about);
  if (!(error instanceof WireError)) return error;
  const { reason } = error;
  return new DecodeError(reason === "unexpected EOF" ? reason : `proto: ${reason}`, about);
}
