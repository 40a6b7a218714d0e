import type { TypedDecoder } from "@rookery/apiserver";
import type { KubeObject } from "@rookery/kube";
import { orderFields } from "./field-order.ts";
import { goTypeOf } from "./go-types.ts";
import { readerOf } from "./readers.ts";
import { Reading } from "./reading.ts";

/** Kinds of these are stored as JSON, all others as Protobuf. */
const storedAsJson = /^k8s\.io\/(?:apiextensions-apiserver|kube-aggregator)\//;

/**
 * Reads bodies of a kind as kube-apiserver does, which has its Go type compiled in: the result is
 * what it would write after it was read, defaulted and stored. Its fields are in their order, empty
 * ones left out or written as nothing, as their type says; quantities, times and bytes are in
 * canonical form. Throws an UnknownTypeError; the decoder throws DecodeErrors with Go's words.
 */
export function typedDecoder(
  goType: string,
  defaults?: (object: KubeObject) => void,
): TypedDecoder {
  const type = goTypeOf(goType);
  const read = readerOf(type);
  const keepsEmpty = storedAsJson.test(goType);
  return (value, literals) => {
    const reading = new Reading(keepsEmpty, literals);
    const object = read(value, reading) as ReturnType<TypedDecoder>["object"];
    const unknownFields = reading.finish();
    if (defaults === undefined) return { object, unknownFields };
    defaults(object as unknown as KubeObject);
    return { object: orderFields(object, type) as typeof object, unknownFields };
  };
}
