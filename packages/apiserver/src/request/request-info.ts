import {
  badRequestError,
  parseFieldSelector,
  parseLabelSelector,
  validatePathSegmentName,
} from "@rookery/kube";
import { booleanOption, optionalInteger } from "./query.ts";

/**
 * What a request asks for, by its method, path and query, word for word as kube-apiserver's
 * RequestInfo: authorization and routing depend on it.
 */
export interface RequestInfo {
  /** Of a resource: "create", "list"…; of any other path the method in lower case. */
  readonly verb: string;
  /** Percent-decoded. */
  readonly path: string;
  readonly isResourceRequest: boolean;
  /** "api" or "apis"; "" outside of both. */
  readonly apiPrefix: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  /** "" for the cluster, or all namespaces. */
  readonly namespace: string;
  readonly name: string;
  /** The path from the resource on. */
  readonly parts: readonly string[];
  /** As in the query, for verbs that take selectors; "" where there is none. */
  readonly fieldSelector: string;
  readonly labelSelector: string;
}

const verbs: ReadonlyMap<string, string> = new Map([
  ["POST", "create"],
  ["GET", "get"],
  ["HEAD", "get"],
  ["PUT", "update"],
  ["PATCH", "patch"],
  ["DELETE", "delete"],
]);

/** Old paths begin with their verb: /api/v1/watch/pods. */
const verbsInPath: ReadonlySet<string> = new Set(["proxy", "watch"]);
const verbsWithSelectors: ReadonlySet<string> = new Set(["list", "watch", "deletecollection"]);
/** What stands after a namespace's name and is no resource in it. */
const namespaceSubresources: ReadonlySet<string> = new Set(["status", "finalize"]);

/** Throws a bad request where the path can't be decoded or is cut off. */
export function parseRequestInfo(request: {
  readonly method: string;
  readonly path: string;
  readonly query: string;
}): RequestInfo {
  const path = decodePath(request.path);
  const other = nonResource(request.method.toLowerCase(), path);
  const trimmed = path.replace(/^\/+|\/+$/g, "");
  const [apiPrefix = "", ...rest] = trimmed.split("/");
  if (apiPrefix !== "api" && apiPrefix !== "apis") return other;
  const groupParts = apiPrefix === "apis" ? 1 : 0;
  if (rest.length < 2) return other;
  const prefixed = { ...other, apiPrefix };
  if (rest.length < 2 + groupParts) return prefixed;
  const group = groupParts === 1 ? (rest[0] ?? "") : "";
  const version = rest[groupParts] ?? "";
  const at = { ...prefixed, isResourceRequest: true, group, version };
  return resourceInfo(at, rest.slice(groupParts + 1), request);
}

function nonResource(verb: string, path: string): RequestInfo {
  return {
    verb,
    path,
    isResourceRequest: false,
    apiPrefix: "",
    group: "",
    version: "",
    resource: "",
    subresource: "",
    namespace: "",
    name: "",
    parts: [],
    fieldSelector: "",
    labelSelector: "",
  };
}

function resourceInfo(
  at: RequestInfo,
  segments: readonly string[],
  { method, query }: { readonly method: string; readonly query: string },
): RequestInfo {
  const verbInPath = verbsInPath.has(segments[0] ?? "");
  if (verbInPath && segments.length < 2) {
    throw badRequestError(`unable to determine kind and namespace from url, ${at.path}`);
  }
  const verb = verbInPath ? (segments[0] ?? "") : (verbs.get(method) ?? "");
  const { namespace, parts } = splitNamespace(verbInPath ? segments.slice(1) : segments);
  const subresource = verbInPath ? "" : (parts[2] ?? "");
  const [resource = "", name = ""] = parts;
  const named = { ...at, verb, namespace, parts, resource, name, subresource };
  const parameters = new URLSearchParams(query);
  const info = withCollectionVerb(named, parameters);
  if (verbInPath || !verbsWithSelectors.has(info.verb)) return info;
  return {
    ...info,
    fieldSelector: parameters.get("fieldSelector") ?? "",
    labelSelector: parameters.get("labelSelector") ?? "",
  };
}

function splitNamespace(segments: readonly string[]) {
  if (segments[0] !== "namespaces" || segments.length < 2)
    return { namespace: "", parts: segments };
  const [, namespace = "", inside] = segments;
  const isOwn = inside === undefined || namespaceSubresources.has(inside);
  return { namespace, parts: isOwn ? segments : segments.slice(2) };
}

/** Without a name, "get" and "delete" are about a collection. */
function withCollectionVerb(info: RequestInfo, parameters: URLSearchParams): RequestInfo {
  if (info.name !== "") return info;
  if (info.verb === "delete") return { ...info, verb: "deletecollection" };
  if (info.verb !== "get") return info;
  const verb = booleanOption(parameters, "watch") ? "watch" : "list";
  return { ...info, verb, name: selectedName(parameters) };
}

/** A list of one name is authorized as such, unless its options can't be read. */
function selectedName(parameters: URLSearchParams): string {
  try {
    for (const name of ["limit", "timeoutSeconds"]) optionalInteger(parameters, name);
    parseLabelSelector(parameters.get("labelSelector") ?? "");
    const selector = parseFieldSelector(parameters.get("fieldSelector") ?? "");
    const name = selector.requiredValue("metadata.name") ?? "";
    return validatePathSegmentName(name).length === 0 ? name : "";
  } catch {
    return ""; // What is wrong with it is said when the list is asked for.
  }
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw badRequestError(`invalid URL escape in path ${JSON.stringify(path)}`);
  }
}
