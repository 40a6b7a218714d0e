import { validatePathSegmentName } from "../names/names.ts";
import { parseFieldSelector } from "../selectors/field-selector.ts";
import { parseLabelSelector } from "../selectors/label-selector.ts";
import { badRequestError } from "../status/constructors.ts";
import { decodePath } from "./decode-path.ts";
import { booleanOption, optionalInteger, parseQuery } from "./query.ts";

/** The parts of a request as in kube-apiserver's RequestInfo, for authorization and routing. */
export interface RequestInfo {
  /** Of a resource: "create", "list"…; of other paths the method in lower case. */
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
  /** "" for cluster-scoped requests and for all namespaces. */
  readonly namespace: string;
  readonly name: string;
  /** The path from the resource on. */
  readonly parts: readonly string[];
  /** As in the query, for verbs with selectors; else "". */
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
/** Segments after the name of a namespace that are not resources in it. */
const namespaceSubresources: ReadonlySet<string> = new Set(["status", "finalize"]);

/** The first line of a request, as on the wire. */
export interface RequestLine {
  readonly method: string;
  readonly path: string;
  readonly query: string;
}

/** Throws a MalformedPathError, and a bad request for an incomplete path. */
export function parseRequestInfo(request: RequestLine): RequestInfo {
  const { path } = decodePath(request.path);
  const verb = request.method.toLowerCase();
  const [apiPrefix = "", ...rest] = withoutOuterSlashes(path).split("/");
  if (apiPrefix !== "api" && apiPrefix !== "apis") return nonResource(verb, path);
  const groupParts = apiPrefix === "apis" ? 1 : 0;
  if (rest.length < 2) return nonResource(verb, path);
  if (rest.length < 2 + groupParts) return { ...nonResource(verb, path), apiPrefix };
  const group = groupParts === 1 ? (rest[0] ?? "") : "";
  const version = rest[groupParts] ?? "";
  const at = { path, apiPrefix, group, version };
  return resourceInfo(at, rest.slice(groupParts + 1), request);
}

/** A regular expression would take quadratic time for many slashes. */
function withoutOuterSlashes(path: string): string {
  let [start, end] = [0, path.length];
  while (path[start] === "/") start++;
  while (end > start && path[end - 1] === "/") end--;
  return path.slice(start, end);
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
  at: Pick<RequestInfo, "path" | "apiPrefix" | "group" | "version">,
  segments: readonly string[],
  { method, query }: { readonly method: string; readonly query: string },
): RequestInfo {
  const verbInPath = verbsInPath.has(segments[0] ?? "");
  if (verbInPath && segments.length < 2) {
    const url = query === "" ? at.path : `${at.path}?${query}`;
    throw badRequestError(`unable to determine kind and namespace from url, ${url}`);
  }
  const verb = verbInPath ? (segments[0] ?? "") : (verbs.get(method) ?? "");
  const { namespace, parts } = splitNamespace(verbInPath ? segments.slice(1) : segments);
  const subresource = verb === "proxy" ? "" : (parts[2] ?? "");
  const [resource = "", name = ""] = parts;
  const own = { verb, namespace, parts, resource, name, subresource };
  const named = { ...at, isResourceRequest: true, ...own, fieldSelector: "", labelSelector: "" };
  if (query === "" && (name !== "" || verb === "create")) return named;
  const parameters = parseQuery(query);
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

/** A list of one name is authorized as such, unless its options are invalid. */
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
