import {
  badRequestError,
  FieldError,
  fieldPath,
  formatApiVersion,
  type GroupVersionKind,
  invalidError,
  type KubeObject,
  ParseError,
  parseApiVersion,
  quote,
  type StatusError,
} from "@rookery/kube";
import {
  applyDefaults,
  type JSONObject,
  MetadataError,
  NestingError,
  prune,
} from "@rookery/schema";
import { DecodeError } from "../codec/decode-error.ts";
import type { BodyDecoder } from "../codec/media-types.ts";
import type { FieldValidation } from "./options.ts";
import type { ResourceScope } from "./registry.ts";

export interface DecodeOptions {
  readonly scope: ResourceScope;
  readonly decoder: BodyDecoder;
  readonly fieldValidation: FieldValidation;
  readonly warn: (text: string) => void;
}

/**
 * Reads an object of a resource's kind from a body: unknown fields dropped, refused or warned of,
 * defaults filled in. Throws bad requests with kube-apiserver's messages.
 */
export function decodeObject(body: Uint8Array, options: DecodeOptions): KubeObject {
  const { scope, decoder, fieldValidation } = options;
  const { value, strictProblems, said } = interpret(body, scope, () =>
    decoder(body, fieldValidation !== "Ignore"),
  );
  const kind = expectedKind(said, scope, body);
  return completeObject(
    { ...value, apiVersion: formatApiVersion(kind), kind: kind.kind },
    {
      ...options,
      strictProblems,
    },
  );
}

/** Prunes and defaults a plain object of the kind; what was wrong with its text comes with it. */
export function completeObject(
  value: object,
  options: Omit<DecodeOptions, "decoder"> & { readonly strictProblems?: readonly string[] },
): KubeObject {
  const { scope, fieldValidation, warn, strictProblems = [] } = options;
  const { object, unknownFields } = pruneObject(value as JSONObject, scope);
  const unknown = unknownFields.map((field) => `unknown field "${field}"`);
  const problems = fieldValidation === "Ignore" ? [] : [...strictProblems, ...unknown];
  if (fieldValidation === "Strict" && problems.length > 0) {
    throw unhandled(scope.kind, scope, `strict decoding error: ${problems.join(", ")}`);
  }
  for (const problem of problems) for (const line of warningLines(problem)) warn(line);
  const { apiVersion, kind, metadata, ...rest } = applyDefaults(scope.schema, object);
  return { apiVersion, kind, metadata: metadata ?? {}, ...rest } as unknown as KubeObject;
}

function pruneObject(value: JSONObject, scope: ResourceScope) {
  try {
    return prune(scope.schema, value);
  } catch (error) {
    if (error instanceof MetadataError) throw unhandled(scope.kind, scope, error.reason);
    if (error instanceof NestingError) throw badRequestError(error.message);
    throw error;
  }
}

/** A YAML reader reports several lines in one. */
function warningLines(problem: string): string[] {
  const [head, ...lines] = problem.split("\n");
  return head === "yaml: unmarshal errors:" ? lines.map((line) => line.trim()) : [problem];
}

interface Said {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

const typeMetaStruct =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

function interpret(body: Uint8Array, scope: ResourceScope, read: () => ReturnType<BodyDecoder>) {
  try {
    const { value, strictProblems } = read();
    const object = value === null ? {} : value;
    if (typeof object !== "object" || Array.isArray(object)) {
      throw unreadable(
        `json: cannot unmarshal ${goType(object)} into Go value of type ${typeMetaStruct}`,
      );
    }
    const { apiVersion, kind } = typeMetaOf(object as Record<string, unknown>);
    const said: Said = { ...parseApiVersion(apiVersion), kind };
    if (scope.resource.dialect === "custom" && kind === "") {
      throw new DecodeError(`Object 'Kind' is missing in '${Buffer.from(body).toString()}'`);
    }
    return { value: object, strictProblems, said };
  } catch (error) {
    const why = error instanceof ParseError ? error.reason : error;
    if (why instanceof DecodeError || typeof why === "string") {
      throw unrecognized(scope, body, typeof why === "string" ? why : why.message);
    }
    throw error;
  }
}

function unreadable(why: string): DecodeError {
  return new DecodeError(`couldn't get version/kind; json parse error: ${why}`);
}

function typeMetaOf(object: Record<string, unknown>) {
  const text = (name: "apiVersion" | "kind"): string => {
    const value = (Object.hasOwn(object, name) ? object[name] : undefined) ?? "";
    if (typeof value === "string") return value;
    throw unreadable(
      `json: cannot unmarshal ${goType(value)} into Go struct field .${name} of type string`,
    );
  };
  return { apiVersion: text("apiVersion"), kind: text("kind") };
}

function goType(value: unknown): string {
  if (Array.isArray(value)) return "array";
  return typeof value === "boolean" ? "bool" : typeof value;
}

/** The kind that the body is of. Throws where it is not the resource's. */
function expectedKind(said: Said, scope: ResourceScope, body: Uint8Array): GroupVersionKind {
  const expected = scope.kind;
  const kind = scope.resource.dialect === "custom" ? said : withDefaultKind(said, expected);
  const isVersion = kind.group === expected.group && kind.version === expected.version;
  if (isVersion && kind.kind === expected.kind) return expected;
  if (scope.resource.dialect === "custom") throw customMismatch(kind, expected);
  if (!scope.isServedKind(kind)) {
    const at = quote(formatApiVersion(kind));
    const why = `no kind ${quote(kind.kind)} is registered for version ${at} in scheme "pkg/runtime/scheme.go:110"`;
    throw kind.kind === "" ? unrecognized(scope, body, why) : unhandled(kind, scope, why);
  }
  if (kind.kind === expected.kind) throw versionMismatch(kind, expected);
  const [from, to] = [`${kind.version}.${kind.kind}`, `${expected.version}.${expected.kind}`];
  throw unhandled(kind, scope, `converting (${from}) to (${to}): unknown conversion`);
}

function withDefaultKind(said: Said, expected: GroupVersionKind): GroupVersionKind {
  const kind = said.kind || expected.kind;
  if (said.version === "" && (said.group === "" || said.group === expected.group)) {
    return { ...expected, kind };
  }
  return { ...said, kind };
}

function customMismatch(kind: GroupVersionKind, expected: GroupVersionKind): StatusError {
  if (kind.group !== expected.group || kind.version !== expected.version) {
    return versionMismatch(kind, expected);
  }
  const problem = FieldError.invalid(fieldPath("kind"), kind.kind, `must be ${expected.kind}`);
  return invalidError(kind, "", [problem]);
}

function versionMismatch(kind: GroupVersionKind, expected: GroupVersionKind): StatusError {
  return badRequestError(
    `the API version in the data (${formatApiVersion(kind)}) does not match the expected API version (${formatApiVersion(expected)})`,
  );
}

function unhandled(kind: GroupVersionKind, scope: ResourceScope, why: string): StatusError {
  const what = `${kind.kind} in version ${quote(kind.version)}`;
  return badRequestError(`${what} cannot be handled as a ${scope.kind.kind}: ${why}`);
}

function unrecognized(scope: ResourceScope, body: Uint8Array, why: string): StatusError {
  const what = `the object provided is unrecognized (must be of type ${scope.kind.kind})`;
  return badRequestError(`${what}: ${why} (${summarize(body)})`);
}

const summaryLength = 30;

function summarize(body: Uint8Array): string {
  if (body.byteLength === 0) return "<empty>";
  const begin = Buffer.from(body.subarray(0, summaryLength));
  const text = body[0] === 0x7b ? begin.toString("utf8") : begin.toString("hex");
  return body.byteLength > summaryLength ? `${text} ...` : text;
}
