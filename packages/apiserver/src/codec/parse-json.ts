import { DecodeError } from "./decode-error.ts";
import { duplicateFields } from "./duplicate-fields.ts";
import { describeJsonError } from "./json-error.ts";

/** A value that was read, and what a strict reader would refuse in it. */
export interface Parsed {
  readonly value: unknown;
  /** In Kubernetes' words: `duplicate field "spec.name"`. */
  readonly strictProblems: readonly string[];
}

/** Reads JSON. Throws a DecodeError in the words of Go's decoder. */
export function parseJson(body: Uint8Array, strict: boolean): Parsed {
  const text = new TextDecoder().decode(body);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    const why = `couldn't get version/kind; json parse error: ${describeJsonError(text)}`;
    throw new DecodeError(why, { cause });
  }
  if (!strict) return { value, strictProblems: [] };
  const duplicates = new Set(duplicateFields(text));
  return { value, strictProblems: [...duplicates].map((path) => `duplicate field "${path}"`) };
}
