import { DecodeError } from "./decode-error.ts";
import { decodeText } from "./decode-text.ts";
import { keysInText, keysInValue, strictProblemsOf } from "./duplicate-fields.ts";
import { describeJsonError } from "./json-error.ts";
import { type NumberLiterals, parseWithLiterals } from "./number-literals.ts";

/** A parsed body. */
export interface Parsed {
  readonly value: unknown;
  /** In Kubernetes' wording: `duplicate field "spec.name"`. */
  readonly strictProblems: readonly string[];
  /** The JSON text, if it has strict problems. */
  readonly text?: string;
  /** true for Protobuf, which custom kinds do not accept. */
  readonly isProtobuf?: boolean;
  /** Number literals that JSON.parse does not preserve. */
  readonly literals?: NumberLiterals;
}

/** Parses JSON. Throws a DecodeError in Go's wording. */
export function parseJson(body: Uint8Array, strict: boolean): Parsed {
  const text = decodeText(body);
  const value = parse(text, body);
  const keys = countKeys(value);
  const parsed = { value, strictProblems: [], ...parseWithLiterals(text) };
  // With duplicate fields, the text has more keys than the parsed value.
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
