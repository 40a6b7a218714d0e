import { canonicalRequest, type RequestInfo, type RequestLine } from "@rookery/kube";
import type { Target } from "../body-renamer.ts";

/**
 * What bodies are: objects and what tells of one group, the paths or groups that there are, OpenAPI, its index,
 * or nothing that names groups (logs, metrics, and what is tunnelled).
 */
export type BodyShape = "object" | "index" | "discovery" | "openApi" | "openApiIndex" | "other";

/**
 * What the parse of a request says to who renames it. RequestInfo alone would not do: it knows nothing
 * of the groups in the paths of discovery and of OpenAPI, nor where in the path a name stands.
 */
export interface PathParts {
  /** Decoded; what is sent on is made of them. */
  readonly segments: readonly string[];
  readonly shape: BodyShape;
  readonly groupAt?: number;
  readonly nameAt?: number;
  readonly target?: Target;
  readonly isWatch: boolean;
}

/** What a subresource of this kind sends and gets is none of the API's business. */
const tunnelled: ReadonlySet<string> = new Set(["attach", "exec", "log", "portforward", "proxy"]);

/** Throws a StatusError where the path could mean something else to who reads it next. */
export function splitPath(request: RequestLine): PathParts {
  const { info, segments } = canonicalRequest(request);
  return { segments, ...find(info, segments) };
}

type Found = Omit<PathParts, "segments">;

function find(info: RequestInfo, segments: readonly string[]): Found {
  if (info.isResourceRequest) return findResource(info, segments);
  const [root, group = ""] = segments;
  const about = { isWatch: false } as const;
  if (root === "" && segments.length === 1) return { ...about, shape: "index" };
  if (root === "openapi") return { ...about, ...findDocument(segments) };
  if (root !== "api" && root !== "apis") return { ...about, shape: "other" };
  if (root === "api" || group !== "") {
    return { ...about, shape: "object", ...(root === "apis" && { groupAt: 1 }) };
  }
  return { ...about, shape: "discovery" };
}

function findDocument([, version, root = ""]: readonly string[]) {
  if (version === "v3" && root === "") return { shape: "openApiIndex" } as const;
  return { shape: "openApi", ...(root === "apis" && { groupAt: 3 }) } as const;
}

function findResource(info: RequestInfo, segments: readonly string[]): Found {
  const { group, version, resource, subresource, verb, parts } = info;
  const target = { group, version, resource, ...(subresource !== "" && { subresource }) };
  const resourceAt = segments.length - partsWithin(segments, parts);
  return {
    target,
    isWatch: verb === "watch",
    shape: tunnelled.has(subresource) ? "other" : "object",
    ...(info.apiPrefix === "apis" && { groupAt: 1 }),
    ...(parts.length > 1 && { nameAt: resourceAt + 1 }),
  };
}

/** The parts with the empty segments at the end, which a proxied path may have. */
function partsWithin(segments: readonly string[], parts: readonly string[]): number {
  return parts.length + segments.length - 1 - segments.findLastIndex((segment) => segment !== "");
}
