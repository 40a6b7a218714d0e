import {
  badRequestError,
  FieldError,
  fieldPath,
  invalidError,
  type KubeObject,
  PatchError,
  type StatusError,
  statusError,
} from "@rookery/kube";
import { assertNesting, type JSONValue, NestingError } from "@rookery/schema";
import { describeJsonError, jsonTypeOf } from "../codec/json-error.ts";
import { findInexactInteger, inexactInteger, parseWithLiterals } from "../codec/number-literals.ts";
import { unclassifiedError } from "../errors.ts";
import type { Exchange } from "./exchange.ts";
import type { ResourceRequest } from "./handlers.ts";
import type { WriteOptions } from "./write-options.ts";

export type PatchOptions = WriteOptions & { readonly force?: boolean };

export interface PatchRequest {
  readonly exchange: Exchange;
  readonly request: ResourceRequest;
  readonly options: PatchOptions;
  readonly body: Uint8Array;
}

/**
 * Creates the new object from the current one, and tracks managedFields. Parses the patch only
 * then: a missing object is reported first. Throws StatusErrors.
 */
export type Patcher = (current: KubeObject | undefined) => Promise<KubeObject>;

/** Parses JSON; `refuse` creates the error, in Go's wording. */
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

/** Throws a bad request for excessive nesting. */
export function assertShallow(value: unknown): void {
  try {
    assertNesting(value as JSONValue, "patch");
  } catch (error) {
    throw error instanceof NestingError ? badRequestError(error.message) : error;
  }
}

/** Throws where a patch is not a JSON object. */
export function assertJsonObject(value: unknown, refuse: (why: string) => StatusError): void {
  const type = jsonTypeOf(value);
  if (type === "object") return;
  throw refuse(`json: cannot unmarshal ${type} into Go value of type map[string]interface {}`);
}

/** Applies a patch. Throws the StatusError of one that does not fit its object. */
export function applyPatch<T>(apply: () => T, httpStatus?: PatchError["httpStatus"]): T {
  try {
    return apply();
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    throw patchFailure(error.reason, httpStatus ?? error.httpStatus);
  }
}

function patchFailure(reason: string, httpStatus: PatchError["httpStatus"]): StatusError {
  if (httpStatus === 400) return badRequestError(reason);
  if (httpStatus === 500) return unclassifiedError(reason);
  const message = "the server rejected our request due to an error in our request";
  return statusError({ code: 422, reason: "Invalid", message, details: {} });
}

/** A patch result that can't be decoded. */
export function unreadableResult(shown: string, why: string): StatusError {
  const problem = FieldError.invalid(fieldPath("patch"), shown, why);
  return invalidError({ group: "", kind: "" }, "", [problem]);
}
