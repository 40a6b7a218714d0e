import { DecodeError } from "./decode-error.ts";
import { decodeText } from "./decode-text.ts";
import { keysInText, keysInValue, strictProblemsOf } from "./duplicate-fields.ts";
import { describeJsonError } from "./json-error.ts";
import { type NumberLiterals, parseWithLiterals } from "./number-literals.ts";

/** A value that was read, and what a strict reader would refuse in it. */
export interface Parsed {
  readonly value: unknown;
  /** In Kubernetes' words: `duplicate field "spec.name"`. */
  readonly strictProblems: readonly string[];
  /** The JSON in which there are such. */
  readonly text?: string;
  /** true where it was no text, which custom kinds can't be read from. */
  readonly isProtobuf?: boolean;
  /** Where numbers were written in a way that their values don't tell. */
  readonly literals?: NumberLiterals;
}

/** Reads JSON. Throws a DecodeError in the words of Go's decoder. */
export function parseJson(body: Uint8Array, strict: boolean): Parsed {
  const text = decodeText(body);
  const value = parse(text, body);
  const keys = countKeys(value);
  const parsed = { value, strictProblems: [], ...parseWithLiterals(text) };
  // Where a field is there twice, the text has more keys than what was made of it.
  if (!strict || keysInText(text) === keys) return parsed;
  return { ...parsed, strictProblems: strictProblemsOf(text, []), text };
}

function parse(text: string, body: Uint8Array): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw unparsable(describeJsonError(body), cause);
  }
}

function countKeys(value: unknown): number {
  try {
    return keysInValue(value);
  } catch (error) {
    throw error instanceof DecodeError ? unparsable(error.message, error) : error;
  }
}

function unparsable(why: string, cause: unknown): DecodeError {
  return new DecodeError(`couldn't get version/kind; json parse error: ${why}`, { cause });
}
