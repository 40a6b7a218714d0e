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
 * Reads bodies in Kubernetes' Protobuf into what the same object is in JSON, for `typedDecoder` to
 * go on with. `kinds` tells the Go type of a kind; of one that has none only the kind itself is read,
 * so that it is refused by name. Throws DecodeErrors with kube-apiserver's words.
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
