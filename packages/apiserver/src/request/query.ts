import { badRequestError, quote } from "@rookery/kube";

const int64Limit = 2n ** 63n;

/** As Kubernetes reads it: everything but "0" and "false" is true, the empty text too. */
export function booleanOption(parameters: URLSearchParams, name: string): boolean {
  return optionalBoolean(parameters, name) ?? false;
}

/** undefined where the query does not have it. */
export function optionalBoolean(parameters: URLSearchParams, name: string): boolean | undefined {
  const value = parameters.get(name);
  if (value === null) return undefined;
  return value !== "0" && value.toLowerCase() !== "false";
}

/** undefined where the query does not have it. Throws a bad request in Go's words. */
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
