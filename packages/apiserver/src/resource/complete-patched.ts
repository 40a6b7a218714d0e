import {
  FieldError,
  fieldPath,
  formatApiVersion,
  type GroupVersionKind,
  groupVersionKindOf,
  invalidError,
  isRecord,
  type KubeObject,
  ParseError,
  parseApiVersion,
  type StatusError,
} from "@rookery/kube";
import { DecodeError } from "../codec/decode-error.ts";
import { jsonTypeOf } from "../codec/json-error.ts";
import { assertMetadata, nameIn, typeMetaOf, typeMetaStruct } from "./body-kind.ts";
import { completeObject } from "./decode.ts";
import { unregisteredKind } from "./decode-errors.ts";
import { trackManagedFields } from "./managed-fields.ts";
import { type PatchRequest, unreadableResult } from "./patch-request.ts";
import type { ResourceScope } from "./registry.ts";

export interface Patched {
  readonly value: unknown;
  readonly current: KubeObject | undefined;
  readonly touched: Touched;
  readonly strictProblems: readonly string[];
}

/** Decodes a patched object like a body, and tracks managedFields. */
export function completePatched(
  { exchange, request, options }: PatchRequest,
  { value, current, touched, strictProblems }: Patched,
): KubeObject | Promise<KubeObject> {
  const { scope } = exchange;
  const shown = () => encodePatched(value, scope.dialect === "custom" ? "all" : touched);
  const refuse = (why: string) => unreadableResult(shown(), why);
  const problem = kindProblemOf(value, scope);
  if (problem !== undefined) throw refuse(problem);
  const isCustom = scope.dialect === "custom";
  const own = (isCustom ? value : withOrder(value, touched)) as KubeObject;
  if (isCustom) assertSameKind(own, scope, refuse);
  const { apiVersion, kind } = ownTypeMeta(scope);
  const { fieldValidation } = options;
  const { warn } = request;
  const object = completeObject(
    { ...own, apiVersion, kind },
    { scope, fieldValidation, warn, strictProblems, refuse },
  );
  return trackManagedFields(exchange, options, { object, current });
}

function ownTypeMeta({ kind }: ResourceScope) {
  return { apiVersion: formatApiVersion(kind), kind: kind.kind };
}

function kindProblemOf(value: unknown, scope: ResourceScope): string | undefined {
  try {
    return kindProblem(value, scope);
  } catch (error) {
    if (error instanceof DecodeError) return error.message;
    if (error instanceof ParseError) return error.reason;
    throw error;
  }
}

/** Why a document has no kind, or a wrong one. */
function kindProblem(value: unknown, scope: ResourceScope): string | undefined {
  if (jsonTypeOf(value) !== "object" || value === null) {
    return `couldn't get version/kind; json parse error: json: cannot unmarshal ${jsonTypeOf(value)} into Go value of type ${typeMetaStruct}`;
  }
  const { apiVersion, kind } = typeMetaOf(value as Record<string, unknown>);
  const own = ownTypeMeta(scope);
  if (scope.dialect === "custom") {
    parseApiVersion(apiVersion);
    return kind === "" ? `Object 'Kind' is missing in '${encodePatched(value, "all")}'` : undefined;
  }
  const declared = { apiVersion: apiVersion || own.apiVersion, kind: kind || own.kind };
  if (declared.apiVersion === own.apiVersion && declared.kind === own.kind) return undefined;
  const gvk = groupVersionKindOf(declared);
  if (scope.isServedKind(gvk)) return unknownConversion(gvk, scope.kind);
  return unregisteredKind(declared.kind, declared.apiVersion);
}

function unknownConversion(from: GroupVersionKind, to: GroupVersionKind): string {
  return `converting (${from.version}.${from.kind}) to (${to.version}.${to.kind}): unknown conversion`;
}

/** All custom kinds are decoded alike; another kind is a validation error. */
function assertSameKind(
  object: KubeObject,
  scope: ResourceScope,
  refuse: (why: string) => StatusError,
): void {
  const own = ownTypeMeta(scope);
  const problems = (["kind", "apiVersion"] as const)
    .filter((name) => object[name] !== own[name])
    .map((name) => FieldError.invalid(fieldPath(name), object[name], `must be ${own[name]}`));
  if (problems.length === 0) return;
  assertMetadata(object, refuse);
  throw invalidError(groupVersionKindOf(object), nameIn(object), problems);
}

/**
 * The parts of a document that a patch touched. Go decodes only these, and writes their keys
 * sorted.
 */
export type Touched = Map<string, Touched>;

/** Marks the parents of a JSON pointer. */
export function touchPointer(touched: Touched, pointer: string): void {
  const names = pointer.split("/").slice(1, -1);
  let level = touched;
  for (const escaped of names) {
    const name = escaped.replaceAll("~1", "/").replaceAll("~0", "~");
    const next: Touched = level.get(name) ?? new Map();
    level.set(name, next);
    level = next;
  }
}

export function touchedByMerge(patch: unknown): Touched {
  if (!isRecord(patch)) return new Map();
  return new Map(
    Object.entries(patch)
      .filter(([, value]) => isRecord(value))
      .map(([name, value]) => [name, touchedByMerge(value)]),
  );
}

/**
 * A patched document in messages: JSON as Go writes it. Custom objects, which Go keeps as maps, are
 * fully sorted.
 */
function encodePatched(value: unknown, touched: Touched | "all"): string {
  return JSON.stringify(withOrder(value, touched)).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Sorts the keys of the parts that Go decoded. */
function withOrder(value: unknown, touched: Touched | "all" | undefined): unknown {
  if (touched === undefined || typeof value !== "object" || value === null) return value;
  const below = (key: string) => (touched === "all" ? touched : touched.get(key));
  if (Array.isArray(value)) {
    return value.map((item, index) => withOrder(item, below(String(index))));
  }
  const keys = Object.keys(value).sort();
  const record = value as Readonly<Record<string, unknown>>;
  return Object.fromEntries(keys.map((key) => [key, withOrder(record[key], below(key))]));
}
