import {
  badRequestError,
  FieldError,
  fieldPath,
  invalidError,
  type KubeObject,
  type PatchError,
  type StatusError,
  statusError,
} from "@rookery/kube";
import { assertNesting, type JSONValue, NestingError } from "@rookery/schema";
import { findInexactInteger, inexactInteger } from "../codec/inexact-integer.ts";
import { describeJsonError } from "../codec/json-error.ts";
import { parseWithLiterals } from "../codec/number-literals.ts";
import type { Exchange } from "./exchange.ts";
import type { ResourceRequest } from "./handlers.ts";
import type { WriteOptions } from "./write-options.ts";

export type PatchOptions = WriteOptions & { readonly force?: boolean };

/** A patch as it came. */
export interface PatchRequest {
  readonly exchange: Exchange;
  readonly request: ResourceRequest;
  readonly options: PatchOptions;
  readonly body: Uint8Array;
}

/**
 * Makes the object as it shall be of the one that is there, with an account of what changed. A patch
 * is read no sooner: an object that is missing is told of first. Throws StatusErrors.
 */
export type Patcher = (current: KubeObject | undefined) => Promise<KubeObject>;

/** Parses JSON; `refuse` is told what is wrong with it, in the words of Go. */
export function parsePatch(text: string, refuse: (why: string) => StatusError): unknown {
  const value = parse(text, refuse);
  assertShallow(value);
  const exact = parseWithLiterals(text);
  const inexact = exact && findInexactInteger(exact.value, exact.literals);
  if (inexact !== undefined) throw refuse(inexactInteger(inexact));
  return value;
}

function parse(text: string, refuse: (why: string) => StatusError): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw refuse(describeJsonError(text));
  }
}

/** Throws a bad request where a patch nests deeper than what walks it can go. */
export function assertShallow(value: unknown): void {
  try {
    assertNesting(value as JSONValue, "patch");
  } catch (error) {
    throw error instanceof NestingError ? badRequestError(error.message) : error;
  }
}

/** What an error calls a value of JSON. */
export function jsonTypeOf(value: unknown): string {
  if (Array.isArray(value)) return "array";
  if (typeof value === "boolean") return "bool";
  return typeof value;
}

/** A patch that does not fit its object, or makes a bad one of it. */
export function patchFailure({ reason, httpStatus }: PatchError): StatusError {
  if (httpStatus === 400) return badRequestError(reason);
  if (httpStatus === 500) return statusError({ code: 500, reason: "", message: reason });
  const message = "the server rejected our request due to an error in our request";
  return statusError({ code: 422, reason: "Invalid", message, details: {} });
}

/** What a patch made can't be read as an object of its kind. */
export function unreadableResult(shown: string, why: string): StatusError {
  const problem = FieldError.invalid(fieldPath("patch"), shown, why);
  return invalidError({ group: "", kind: "" }, "", [problem]);
}
