import {
  FieldError,
  type FieldPath,
  ParseError,
  parseApiVersion,
  validateDns1035Label,
  validatePathSegmentName,
} from "@rookery/kube";
import { getOwn, isObject, type JSONObject, type JSONValue } from "../json.ts";
import { GoJsonError } from "../metadata/go-json.ts";
import { coerceMetadata } from "../metadata/object-meta.ts";
import { validateObjectMeta } from "../metadata/validate-object-meta.ts";
import type { SchemaNode } from "../schema-node.ts";
import { flatMapParts } from "./parts.ts";

/** Validates apiVersion, kind and metadata of embedded resources. */
export function checkEmbeddedResources(
  node: SchemaNode,
  value: JSONValue,
  path: FieldPath,
): FieldError[] {
  const own = node.embeddedResource && isObject(value) ? checkEmbedded(value, path) : [];
  return [...own, ...flatMapParts({ node, value, path }, checkEmbeddedResources)];
}

export function checkEmbedded(resource: JSONObject, path: FieldPath): FieldError[] {
  return [
    ...checkApiVersion(getOwn(resource, "apiVersion"), path.child("apiVersion")),
    ...checkKind(getOwn(resource, "kind"), path.child("kind")),
    ...checkMetadata(getOwn(resource, "metadata"), path.child("metadata")),
  ];
}

function checkApiVersion(value: JSONValue | undefined, path: FieldPath): FieldError[] {
  const problem = textProblem(value);
  if (problem) return [problem(path)];
  try {
    parseApiVersion(value as string);
    return [];
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    return [FieldError.invalid(path, value, error.reason)];
  }
}

function checkKind(value: JSONValue | undefined, path: FieldPath): FieldError[] {
  const problem = textProblem(value);
  if (problem) return [problem(path)];
  const problems = validateDns1035Label((value as string).toLowerCase());
  if (problems.length === 0) return [];
  const text = `may have mixed case, but should otherwise match: ${problems.join(",")}`;
  return [FieldError.invalid(path, value, text)];
}

function textProblem(value: JSONValue | undefined): ((path: FieldPath) => FieldError) | undefined {
  if (value === undefined) return (path) => FieldError.required(path, "");
  if (typeof value !== "string")
    return (path) => FieldError.invalid(path, value, "must be a string");
  return value === "" ? (path) => FieldError.invalid(path, value, "must not be empty") : undefined;
}

function checkMetadata(value: JSONValue | undefined, path: FieldPath): FieldError[] {
  if (value === undefined) return [];
  try {
    const { metadata } = coerceMetadata(value);
    // An embedded resource needs no name.
    const named = Object.hasOwn(metadata, "name") ? metadata : { ...metadata, name: "fakename" };
    const requiresNamespace = Object.hasOwn(metadata, "namespace");
    return validateObjectMeta(named, path, { requiresNamespace, name: segmentProblems });
  } catch (error) {
    if (!(error instanceof GoJsonError)) throw error;
    return [FieldError.invalid(path, value, error.message)];
  }
}

function segmentProblems(name: string, prefix: boolean): readonly string[] {
  const problems = validatePathSegmentName(name);
  return prefix ? problems.filter((problem) => problem.startsWith("may not contain")) : problems;
}
