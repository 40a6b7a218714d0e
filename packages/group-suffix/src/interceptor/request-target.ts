import {
  canonicalRequest,
  escapePathSegment,
  notFoundError,
  type RequestInfo,
  type RequestLine,
  type StatusError,
  statusError,
} from "@rookery/kube";
import type { Target } from "../body-renamer.ts";
import { applyEdits, type NameForm } from "../forms/form.ts";
import { nameEdit } from "../forms/text-edits.ts";
import type { GroupMapping } from "../mapping/group-mapping.ts";

/**
 * What bodies are: objects and what tells of one group, the paths or groups that there are, OpenAPI, its index,
 * or nothing that names groups (logs, metrics, and what is tunnelled).
 */
export type BodyShape = "object" | "index" | "discovery" | "openApi" | "openApiIndex" | "other";

/**
 * What the parse of a request says to who renames it. RequestInfo alone would not do: it knows nothing
 * of the groups in the paths of discovery and of OpenAPI, nor where in the path a name stands.
 */
interface PathParts {
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

/** What a request is about, by its path. */
export interface RequestTarget {
  /** The path to send on. */
  readonly path: string;
  readonly shape: BodyShape;
  /** With the group as the request has it; absent for discovery and OpenAPI. */
  readonly target?: Target;
  /** Absent where the request is about all objects of a resource. */
  readonly name?: string;
  readonly isWatch: boolean;
}

/** How objects are named of resources that are named after groups. */
const namedAfterGroups: ReadonlyMap<string, NameForm> = new Map<string, NameForm>([
  ["apiextensions.k8s.io/customresourcedefinitions", "resourceName"],
  ["apiregistration.k8s.io/apiservices", "versionedGroup"],
  ["internal.apiserver.k8s.io/storageversions", "groupResource"],
]);

/**
 * Renames a request's path from virtual to real, and tells what it is about. Throws a StatusError: a 404
 * where it names a real group, a 400 where it could mean another path to who reads it next.
 */
export function targetOf(request: RequestLine, mapping: GroupMapping): RequestTarget {
  const parts = splitPath(request);
  const { groupAt, nameAt, shape, target, isWatch, segments } = parts;
  const renames = new Map([
    ...renamed(parts, groupAt, (group) => realGroup(group, mapping)),
    ...renamed(parts, nameAt, (name) => realName(name, target, mapping)),
  ]);
  if ([...renames.values()].includes(undefined)) throw notThere(parts);
  const path = segments.map((segment, i) => escapePathSegment(renames.get(i) ?? segment));
  const name = nameAt === undefined ? undefined : segments[nameAt];
  return {
    path: `/${path.join("/")}`,
    shape,
    isWatch,
    ...(target && { target }),
    ...(name !== undefined && { name }),
  };
}

/** What an API server says of a path that leads nowhere, and of an object that is not there. */
function notThere({ target, nameAt, segments }: PathParts): StatusError {
  const { group = "", resource = "" } = target ?? {};
  const name = nameAt === undefined ? undefined : segments[nameAt];
  if (name !== undefined && namedAfterGroups.has(`${group}/${resource}`)) {
    return notFoundError({ group, resource }, name);
  }
  const message = "the server could not find the requested resource";
  return statusError({ code: 404, reason: "NotFound", message, details: {} });
}

type Rename = readonly [at: number, real: string | undefined];

function renamed(
  { segments }: PathParts,
  at: number | undefined,
  rename: (text: string) => string | undefined,
): Rename[] {
  if (at === undefined) return [];
  const text = segments[at] ?? "";
  const real = rename(text);
  return real === text ? [] : [[at, real]];
}

/** Undefined for a real group: the app does not know it by this name. */
function realGroup(group: string, mapping: GroupMapping): string | undefined {
  return mapping.isReal(group) ? undefined : (mapping.toReal(group) ?? group);
}

function realName(
  name: string,
  target: Target | undefined,
  mapping: GroupMapping,
): string | undefined {
  const form = namedAfterGroups.get(`${target?.group}/${target?.resource}`);
  const edit = form && nameEdit(name, form, mapping);
  if (edit === undefined) return name;
  return mapping.isReal(name.slice(edit.start, edit.end)) ? undefined : applyEdits(name, [edit]);
}
