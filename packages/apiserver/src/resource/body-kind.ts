import {
  FieldError,
  fieldPath,
  formatApiVersion,
  type GroupVersionKind,
  invalidError,
  ParseError,
  parseApiVersion,
  type StatusError,
} from "@rookery/kube";
import { compileSchema, type JSONValue, MetadataError, prune } from "@rookery/schema";
import { DecodeError } from "../codec/decode-error.ts";
import { jsonTypeOf } from "../codec/json-error.ts";
import type { Parsed } from "../codec/parse-json.ts";
import { unhandled, unrecognized, unregisteredKind, versionMismatch } from "./decode-errors.ts";
import type { ResourceScope } from "./registry.ts";
import { opaqueSchema } from "./served-group.ts";

export interface InterpretedBody extends Parsed {
  readonly value: object;
}

/** Parses a body and checks its kind. Throws kube-apiserver's errors. */
export function interpretBody(
  body: Uint8Array,
  scope: ResourceScope,
  read: () => Parsed,
): InterpretedBody {
  const { declared, ...interpreted } = interpret(body, scope, read);
  assertKind(declared, scope, { body, ...interpreted });
  return interpreted;
}

interface DeclaredKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

export const typeMetaStruct =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

function interpret(body: Uint8Array, scope: ResourceScope, read: () => Parsed) {
  try {
    const parsed = read();
    const { value } = parsed;
    const object = objectIn(value);
    const { apiVersion, kind } = typeMetaOf(object);
    const declared: DeclaredKind = { ...parseApiVersion(apiVersion), kind };
    if (scope.dialect === "custom" && kind === "") {
      throw new DecodeError(`Object 'Kind' is missing in '${Buffer.from(body).toString()}'`);
    }
    return { ...parsed, value: object, declared };
  } catch (error) {
    if (error instanceof ParseError) throw unrecognized(scope, body, error.reason);
    if (error instanceof DecodeError) throw undecodable(error, scope, body);
    throw error;
  }
}

function undecodable(error: DecodeError, scope: ResourceScope, body: Uint8Array): StatusError {
  const { kind, message } = error;
  if (!kind?.kind) return unrecognized(scope, body, message);
  return unhandled({ ...parseApiVersion(kind.apiVersion), kind: kind.kind }, scope, message);
}

function unreadable(why: string): DecodeError {
  return new DecodeError(`couldn't get version/kind; json parse error: ${why}`);
}

/** The object in a body; null is an empty one. Throws a DecodeError for other values. */
export function objectIn(value: unknown): Readonly<Record<string, unknown>> {
  const object = value ?? {};
  if (typeof object === "object" && !Array.isArray(object))
    return object as Record<string, unknown>;
  throw unreadable(
    `json: cannot unmarshal ${jsonTypeOf(object)} into Go value of type ${typeMetaStruct}`,
  );
}

/** An object's apiVersion and kind; "" if missing. Throws a DecodeError if they are not strings. */
export function typeMetaOf(object: Readonly<Record<string, unknown>>) {
  const text = (name: "apiVersion" | "kind"): string => {
    const value = (Object.hasOwn(object, name) ? object[name] : undefined) ?? "";
    if (typeof value === "string") return value;
    throw unreadable(
      `json: cannot unmarshal ${jsonTypeOf(value)} into Go struct field .${name} of type string`,
    );
  };
  return { apiVersion: text("apiVersion"), kind: text("kind") };
}

interface Read {
  readonly body: Uint8Array;
  readonly value: object;
  readonly isProtobuf?: boolean;
}

function assertKind(declared: DeclaredKind, scope: ResourceScope, read: Read): void {
  const { body, value, isProtobuf = false } = read;
  const expected = scope.kind;
  const kind = scope.dialect === "custom" ? declared : withDefaultKind(declared, expected);
  const isVersion = kind.group === expected.group && kind.version === expected.version;
  if (isVersion && kind.kind === expected.kind) return;
  if (scope.dialect === "custom") throw customMismatch(kind, scope, value);
  if (!scope.isServedKind(kind)) {
    const why = unregisteredKind(kind.kind, formatApiVersion(kind));
    throw kind.kind === "" ? unrecognized(scope, body, why) : unhandled(kind, scope, why);
  }
  if (kind.kind === expected.kind) throw versionMismatch(kind, expected);
  const [from, to] = [
    `${kind.version}.${kind.kind}`,
    `${inner(scope, isProtobuf)}.${expected.kind}`,
  ];
  throw unhandled(kind, scope, `converting (${from}) to (${to}): unknown conversion`);
}

/**
 * The version in Go's type names: subresource kinds and Protobuf bodies are decoded into internal
 * types.
 */
function inner({ kind, resource, subresource }: ResourceScope, isProtobuf: boolean): string {
  const isOwn = subresource !== "" && kind.kind !== resource.kind;
  return isOwn || isProtobuf ? (kind.group || "core").replace(/\..*/, "") : kind.version;
}

function withDefaultKind(declared: DeclaredKind, expected: GroupVersionKind): GroupVersionKind {
  const kind = declared.kind || expected.kind;
  if (declared.version === "" && (declared.group === "" || declared.group === expected.group)) {
    return { ...expected, kind };
  }
  return { ...declared, kind };
}

function customMismatch(
  kind: GroupVersionKind,
  scope: ResourceScope,
  value: { readonly metadata?: unknown },
): StatusError {
  const expected = scope.kind;
  assertMetadata(value, (why) => unhandled(kind, scope, why));
  if (kind.group !== expected.group || kind.version !== expected.version) {
    return versionMismatch(kind, expected);
  }
  const problem = FieldError.invalid(fieldPath("kind"), kind.kind, `must be ${expected.kind}`);
  return invalidError(kind, nameIn(value), [problem]);
}

const anything = compileSchema(opaqueSchema);

/** Custom objects are checked for valid metadata first, whatever their kind. */
export function assertMetadata(
  { metadata }: { readonly metadata?: unknown },
  refuse: (why: string) => StatusError,
): void {
  try {
    prune(anything, metadata === undefined ? {} : { metadata: metadata as JSONValue });
  } catch (error) {
    throw error instanceof MetadataError ? refuse(error.reason) : error;
  }
}

/** The name of an unvalidated object; "" unless it is a string. */
export function nameIn({ metadata }: { readonly metadata?: unknown }): string {
  const { name } = (metadata ?? {}) as { readonly name?: unknown };
  return typeof name === "string" ? name : "";
}
