import { quote } from "../go/quote.ts";
import { badRequestError } from "../status/constructors.ts";

const int64Limit = 2n ** 63n;

/** Go ignores a parameter with an invalid escape or a semicolon. */
const unreadable = /;|%(?![0-9a-f]{2})/i;

/**
 * Parses a query as Go's URL.Query does. URLSearchParams alone accepts "watch=0;" and "%zz", which
 * an API server ignores.
 */
export function parseQuery(query: string): URLSearchParams {
  if (!unreadable.test(query)) return new URLSearchParams(withoutQuestionMark(query));
  const kept = query.split("&").filter((parameter) => !unreadable.test(parameter));
  return new URLSearchParams(withoutQuestionMark(kept.join("&")));
}

/** URLSearchParams drops a leading "?", which is part of the first name in Go. */
function withoutQuestionMark(query: string): string {
  return query.startsWith("?") ? `%3F${query.slice(1)}` : query;
}

/** As in Kubernetes: everything but "0" and "false" is true, the empty text too. */
export function booleanOption(parameters: URLSearchParams, name: string): boolean {
  return optionalBoolean(parameters, name) ?? false;
}

/** Undefined where the query lacks it. */
export function optionalBoolean(parameters: URLSearchParams, name: string): boolean | undefined {
  const value = parameters.get(name);
  if (value === null) return undefined;
  return value !== "0" && value.toLowerCase() !== "false";
}

/** Undefined where the query lacks it. Throws a bad request in Go's words. */
export function optionalInteger(parameters: URLSearchParams, name: string): number | undefined {
  const value = parameters.get(name);
  if (value === null) return undefined;
  if (!/^[+-]?\d+$/.test(value)) throw unparsable(value, "invalid syntax");
  const integer = BigInt(value.replace(/^\+/, ""));
  if (integer < -int64Limit || integer >= int64Limit) throw unparsable(value, "value out of range");
  return Number(integer);
}

function unparsable(value: string, why: string): Error {
  return badRequestError(`strconv.ParseInt: parsing ${quote(value)}: ${why}`);
}
