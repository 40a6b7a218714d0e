import { MalformedPathError } from "../errors.ts";
import { escapePathSegment } from "../resource/resource.ts";
import { badRequestError } from "../status/constructors.ts";
import type { StatusError } from "../status/status.ts";
import { decodePath } from "./decode-path.ts";
import { parseRequestInfo, type RequestInfo, type RequestLine } from "./request-info.ts";

/** A request that everybody who reads it reads in the same way. */
export interface CanonicalRequest {
  readonly info: RequestInfo;
  /** What to send on: written anew from what was understood. */
  readonly path: string;
  /** Decoded, from the first one on: "api", "v1", "pods". */
  readonly segments: readonly string[];
}

const control = /\p{Cc}/u;

/**
 * Reads a request as kube-apiserver does, for what stands before one: a path that could mean something
 * else to the next one who reads it is refused. Throws a StatusError that says why.
 *
 * An empty segment is the reason: "namespaces//secrets" is the Secrets of all namespaces to an API
 * server, and may be the Namespace "secrets" to somebody who leaves out empty ones. Only what comes
 * after "proxy" is another server's own.
 */
export function canonicalRequest(request: RequestLine): CanonicalRequest {
  const { path, isUtf8 } = readable(request);
  if (!isUtf8) throw refused(request, "it is not UTF-8");
  if (control.test(path)) throw refused(request, "it has a control character");
  const info = parseRequestInfo(request);
  const all = path.replace(/^\//, "").split("/");
  const own = withoutEmptyEnd(all);
  // Servers leave out slashes at the end of a resource's path, and not of another one.
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

/** How many segments are read by who is behind a proxy subresource, and not by the API server. */
function foreignSegments({ parts, subresource }: RequestInfo): number {
  return subresource === "proxy" ? Math.max(parts.length - 3, 0) : 0;
}

function refused({ path }: RequestLine, why: string): StatusError {
  const shown = JSON.stringify(path.slice(0, 200));
  return badRequestError(`could not read the path ${shown}: ${why}; write it as kubectl does`);
}
