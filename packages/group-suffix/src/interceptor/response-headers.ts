import type { HttpHeaders } from "@rookery/http";
import { renameName } from "../forms/rename-name.ts";
import type { Renaming } from "./renaming.ts";

/** Renames the headers that name groups, and marks the tags of what is renamed. */
export function renameResponseHeaders(headers: HttpHeaders, renaming: Renaming): HttpHeaders {
  const { etag, location, warning, "last-modified": modified, ...kept } = headers;
  if (
    etag === undefined &&
    location === undefined &&
    warning === undefined &&
    modified === undefined
  ) {
    return headers;
  }
  const { fingerprint, mapping } = renaming;
  const renamePath = (url: string) => fingerprint.markHash(renameName(url, "path", mapping));
  const renameMessage = (text: string) => renameName(text, "message", mapping);
  return {
    ...kept,
    ...(etag !== undefined && { etag: mapHeader(etag, (tag) => fingerprint.markTag(tag)) }),
    ...(location !== undefined && { location: mapHeader(location, renamePath) }),
    ...(warning !== undefined && { warning: mapHeader(warning, renameMessage) }),
  };
}

function mapHeader(
  value: string | readonly string[],
  change: (text: string) => string,
): string | readonly string[] {
  return typeof value === "string" ? change(value) : value.map(change);
}
