import {
  badRequestError,
  formatApiVersion,
  type KubeObject,
  type StatusError,
  unsupportedMediaTypeError,
} from "@rookery/kube";
import {
  applyDefaults,
  type JSONObject,
  MetadataError,
  NestingError,
  prune,
} from "@rookery/schema";
import { DecodeError } from "../codec/decode-error.ts";
import { strictProblemsOf } from "../codec/duplicate-fields.ts";
import { type BodyDecoder, textMediaTypes } from "../codec/media-types.ts";
import { findInexactInteger, inexactInteger } from "../codec/number-literals.ts";
import type { Parsed } from "../codec/parse-json.ts";
import { interpretBody } from "./body-kind.ts";
import { unhandled } from "./decode-errors.ts";
import type { ResourceScope } from "./registry.ts";
import type { TypedDecoder } from "./served-group.ts";
import type { FieldValidation } from "./write-options.ts";

export interface DecodeOptions {
  readonly scope: ResourceScope;
  readonly decoder: BodyDecoder;
  readonly fieldValidation: FieldValidation;
  readonly warn: (text: string) => void;
}

/**
 * Decodes a body: prunes unknown fields, or rejects or reports them, and applies defaults. Throws
 * bad requests with kube-apiserver's messages.
 */
export function decodeObject(body: Uint8Array, options: DecodeOptions): KubeObject {
  const { scope } = options;
  const { value, ...parsed } = interpretBody(body, scope, () => readBody(body, options));
  const typeMeta = { apiVersion: formatApiVersion(scope.kind), kind: scope.kind.kind };
  const object = { ...value, ...typeMeta };
  parsed.literals?.set(object, parsed.literals.get(value) ?? new Map());
  return completeObject(object, { ...options, ...parsed });
}

function readBody(body: Uint8Array, options: DecodeOptions): Parsed {
  const { scope, decoder, fieldValidation } = options;
  const parsed = decoder(body, fieldValidation !== "Ignore");
  const isCustom = scope.dialect === "custom";
  if (parsed.isProtobuf && isCustom) throw unsupportedMediaTypeError(textMediaTypes);
  return parsed;
}

export interface CompleteOptions
  extends Omit<DecodeOptions, "decoder">,
    Partial<Pick<Parsed, "strictProblems" | "text" | "literals">> {
  /** Whether unknown fields are reported sorted. */
  readonly ordersUnknown?: boolean;
  /** Creates the error of an unreadable object; by default a bad request. */
  readonly refuse?: (why: string) => StatusError;
}

/** Decodes a plain object: prunes and defaults it. */
export function completeObject(value: object, options: CompleteOptions): KubeObject {
  const { scope, fieldValidation, warn } = options;
  const { refuse = (why: string) => unhandled(scope.kind, scope, why) } = options;
  const { object, unknownFields } = readObject(value as JSONObject, options, refuse);
  const problems = fieldValidation === "Ignore" ? [] : problemsOf(unknownFields, options);
  if (fieldValidation === "Strict" && problems.length > 0) {
    throw refuse(`strict decoding error: ${problems.join(", ")}`);
  }
  for (const problem of problems) for (const line of warningLines(problem)) warn(line);
  return object as unknown as KubeObject;
}

function problemsOf(unknownFields: readonly string[], options: CompleteOptions): string[] {
  const { scope, strictProblems = [], text, ordersUnknown } = options;
  // Built-in kinds report both kinds of problems together, custom ones duplicates first.
  if (scope.decode && text !== undefined) return strictProblemsOf(text, unknownFields);
  const fields = ordersUnknown ? unknownFields.toSorted() : unknownFields;
  return [...strictProblems, ...fields.map((field) => `unknown field "${field}"`)];
}

function readObject(
  value: JSONObject,
  { scope, literals }: CompleteOptions,
  refuse: (why: string) => StatusError,
): ReturnType<TypedDecoder> {
  try {
    if (scope.decode) return withGivenUpFields(scope.decode(value, literals), value);
    const inexact = literals && findInexactInteger(value, literals);
    if (inexact !== undefined) throw new DecodeError(inexactInteger(inexact));
    const { object, unknownFields } = prune(scope.schema, value);
    return { object: withMetadata(applyDefaults(scope.schema, object)), unknownFields };
  } catch (error) {
    if (error instanceof DecodeError) throw refuse(error.message);
    if (error instanceof MetadataError) throw refuse(error.reason);
    if (error instanceof NestingError) throw badRequestError(error.message);
    throw error;
  }
}

/** Typed decoders drop empty lists, but an empty managedFields drops all ownership. */
function withGivenUpFields(
  decoded: ReturnType<TypedDecoder>,
  { metadata }: JSONObject,
): ReturnType<TypedDecoder> {
  const { managedFields } = Object(metadata) as { managedFields?: unknown };
  if (!Array.isArray(managedFields) || managedFields.length > 0) return decoded;
  const { object } = decoded;
  const kept = { ...(object.metadata as JSONObject), managedFields: [] };
  return { ...decoded, object: { ...object, metadata: kept } };
}

function withMetadata({ apiVersion, kind, metadata, ...rest }: JSONObject): JSONObject {
  return { apiVersion, kind, metadata: metadata ?? {}, ...rest } as JSONObject;
}

/** A YAML reader reports several lines in one text. */
function warningLines(problem: string): string[] {
  const [head, ...lines] = problem.split("\n");
  return head === "yaml: unmarshal errors:" ? lines.map((line) => line.trim()) : [problem];
}
