import { MalformedPathError } from "../errors.ts";
import { escapePathSegment } from "../resource/resource.ts";
import { badRequestError } from "../status/constructors.ts";
import type { StatusError } from "../status/status.ts";
import { decodePath } from "./decode-path.ts";
import { parseRequestInfo, type RequestInfo, type RequestLine } from "./request-info.ts";

/** A request with only one possible reading. */
export interface CanonicalRequest {
  readonly info: RequestInfo;
  /** The path to send on, written from the parsed request. */
  readonly path: string;
  /** Decoded, from the first one: "api", "v1", "pods". */
  readonly segments: readonly string[];
}

const control = /\p{Cc}/u;

/**
 * Reads a request as kube-apiserver does, for a proxy in front of it. Rejects a path that the next
 * server could read differently. Throws a StatusError with the reason.
 *
 * Empty segments are the main case: "namespaces//secrets" is the Secrets of all namespaces to an
 * API server, and the Namespace "secrets" to a server that drops empty segments. Only the part
 * after "proxy" belongs to another server.
 */
export function canonicalRequest(request: RequestLine): CanonicalRequest {
  const { path, isUtf8 } = readable(request);
  if (!isUtf8) throw refused(request, "it is not UTF-8");
  if (control.test(path)) throw refused(request, "it has a control character");
  const info = parseRequestInfo(request);
  const all = path.replace(/^\//, "").split("/");
  const own = withoutEmptyEnd(all);
  // Servers ignore slashes at the end of resource paths only.
  const segments = info.isResourceRequest && info.subresource !== "proxy" ? own : all;
  if (segments.some((segment) => segment === "." || segment === "..")) {
    throw refused(request, 'it has a segment "." or ".."');
  }
  const checked = info.isResourceRequest ? own.length - foreignSegments(info) : all.length - 1;
  const empty = segments.indexOf("");
  if (empty >= 0 && empty < checked) throw refused(request, "it has an empty segment");
  return { info, segments, path: `/${segments.map(escapePathSegment).join("/")}` };
}

function readable(request: RequestLine) {
  try {
    return decodePath(request.path);
  } catch (error) {
    if (error instanceof MalformedPathError) throw refused(request, error.why);
    throw error;
  }
}

function withoutEmptyEnd(segments: readonly string[]): readonly string[] {
  return segments.slice(0, segments.findLastIndex((segment) => segment !== "") + 1);
}

/** The number of segments that only the server behind a proxy subresource reads. */
function foreignSegments({ parts, subresource }: RequestInfo): number {
  return subresource === "proxy" ? Math.max(parts.length - 3, 0) : 0;
}

function refused({ path }: RequestLine, why: string): StatusError {
  const shown = JSON.stringify(path.slice(0, 200));
  return badRequestError(`could not read the path ${shown}: ${why}; write it as kubectl does`);
}
