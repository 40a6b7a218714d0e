import {
  badRequestError,
  formatApiVersion,
  type GroupVersionKind,
  quote,
  type StatusError,
} from "@rookery/kube";
import type { ResourceScope } from "./registry.ts";

/** A body of another version. */
export function versionMismatch(kind: GroupVersionKind, expected: GroupVersionKind): StatusError {
  return badRequestError(
    `the API version in the data (${formatApiVersion(kind)}) does not match the expected API version (${formatApiVersion(expected)})`,
  );
}

/** Where kube-apiserver creates its schemes, which is part of its messages. */
const schemeName = '"pkg/runtime/scheme.go:110"';

export function unregisteredKind(kind: string, apiVersion: string): string {
  return `no kind ${quote(kind)} is registered for version ${quote(apiVersion)} in scheme ${schemeName}`;
}

/** A body with a known kind that is wrong here, or invalid. */
export function unhandled(kind: GroupVersionKind, scope: ResourceScope, why: string): StatusError {
  if (isUnknownToAll(scope)) return unknownType(scope);
  const what = `${kind.kind} in version ${quote(kind.version)}`;
  return badRequestError(`${what} cannot be handled as a ${scope.kind.kind}: ${why}`);
}

/** A body without a readable kind. */
export function unrecognized(scope: ResourceScope, body: Uint8Array, why: string): StatusError {
  if (isUnknownToAll(scope)) return unknownType(scope);
  const what = `the object provided is unrecognized (must be of type ${scope.kind.kind})`;
  return badRequestError(`${what}: ${why} (${summarize(body)})`);
}

/**
 * A custom kind's subresource with its own kind, such as a Scale: the decoder knows it, but the
 * error messages know custom kinds only.
 */
function isUnknownToAll({ resource, dialect }: ResourceScope): boolean {
  return resource.dialect === "custom" && dialect !== "custom";
}

function unknownType({ kind }: ResourceScope): StatusError {
  const type = `${kind.version}.${kind.kind}`;
  return badRequestError(`no kind is registered for the type ${type} in scheme ${schemeName}`);
}

const summaryLength = 30;

function summarize(body: Uint8Array): string {
  if (body.byteLength === 0) return "<empty>";
  const begin = Buffer.from(body.subarray(0, summaryLength));
  const text = body[0] === 0x7b ? begin.toString("utf8") : begin.toString("hex");
  return body.byteLength > summaryLength ? `${text} ...` : text;
}
