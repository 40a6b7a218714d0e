import { badRequestError, formatApiVersion, type KubeObject } from "@rookery/kube";
import {
  applyDefaults,
  type JSONObject,
  MetadataError,
  NestingError,
  prune,
} from "@rookery/schema";
import type { BodyDecoder } from "../codec/media-types.ts";
import { interpretBody } from "./body-kind.ts";
import { unhandled } from "./decode-errors.ts";
import type { ResourceScope } from "./registry.ts";
import type { FieldValidation } from "./write-options.ts";

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
  const strict = fieldValidation !== "Ignore";
  const { value, strictProblems } = interpretBody(body, scope, () => decoder(body, strict));
  const typeMeta = { apiVersion: formatApiVersion(scope.kind), kind: scope.kind.kind };
  return completeObject({ ...value, ...typeMeta }, { ...options, strictProblems });
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
