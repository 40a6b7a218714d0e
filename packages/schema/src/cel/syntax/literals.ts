import { Uint, type Value } from "../values/value.ts";
import type { Token } from "./lexer.ts";
import { unescapeBytes, unescapeString } from "./unescape.ts";

const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;
const MAX_UINT64 = 2n ** 64n - 1n;

/** The value of a literal token, or what is wrong with it. */
export type LiteralResult = { readonly value: Value } | { readonly problem: string };

export function literalValue(token: Token, negative: boolean): LiteralResult {
  switch (token.kind) {
    case "int": {
      const value = negative ? -BigInt(token.text) : BigInt(token.text);
      const valid = value >= MIN_INT64 && value <= MAX_INT64;
      return valid ? { value } : { problem: "invalid int literal" };
    }
    case "uint": {
      const value = BigInt(token.text.slice(0, -1));
      return value <= MAX_UINT64 ? { value: new Uint(value) } : { problem: "invalid uint literal" };
    }
    case "double": {
      const value = Number(negative ? `-${token.text}` : token.text);
      return Number.isFinite(value) ? { value } : { problem: "invalid double literal" };
    }
    case "bytes":
      return orProblem(unescapeBytes(token.text.slice(1)), "unable to unescape string");
    default:
      return orProblem(unescapeString(token.text), "invalid unicode code point");
  }
}

function orProblem(value: Value | undefined, problem: string): LiteralResult {
  return value === undefined ? { problem } : { value };
}
