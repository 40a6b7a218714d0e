import type { HttpHeaders } from "@rookery/http";
import { protobufMediaType } from "@rookery/kube";

/** "text" contains no groups; "unknown" is not readable. */
export type Encoding =
  | "json"
  | "jsonPatch"
  | "yaml"
  | "protobuf"
  | "protobufWatch"
  | "openApiProtobuf"
  | "text"
  | "unknown";

const encodings: ReadonlyMap<string, Encoding> = new Map<string, Encoding>([
  ["application/json", "json"],
  ["application/merge-patch+json", "json"],
  ["application/strategic-merge-patch+json", "json"],
  ["application/json-patch+json", "jsonPatch"],
  ["application/yaml", "yaml"],
  ["application/apply-patch+yaml", "yaml"],
  [protobufMediaType, "protobuf"],
]);

/** The types of request bodies, for error messages. */
export const readableTypes = [...encodings.keys()];

/** Requested with an "@" before the version, answered with a dot. */
const openApiV2 = /^application\/com\.github\.proto-openapi\.spec\.v2[.@]v1\.0\+protobuf$/;

/** A body without a type is JSON, as in API servers. */
export function encodingOf(contentType: string | undefined): Encoding {
  const [type = "", ...parameters] = (contentType || "application/json").split(";");
  const essence = type.trim().toLowerCase();
  if (openApiV2.test(essence)) return "openApiProtobuf";
  const encoding = encodings.get(essence) ?? (essence.startsWith("text/") ? "text" : "unknown");
  const isWatch = parameters.some((parameter) => parameter.trim() === "stream=watch");
  return encoding === "protobuf" && isWatch ? "protobufWatch" : encoding;
}

/**
 * Removes media types that cannot be renamed from an Accept header. Undefined where none is left.
 */
export function acceptable(accept: HttpHeaders[string]): string | undefined {
  const types = (typeof accept === "string" ? [accept] : (accept ?? [])).join(",").split(",");
  const kept = types.filter(
    (type) => !/^\s*application\/(?:cbor|com\.github\.proto-openapi\.spec\.v3)/i.test(type),
  );
  return kept.length === 0 ? undefined : kept.join(",").trim();
}
