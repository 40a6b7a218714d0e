import {
  canonicalRequest,
  escapePathSegment,
  notFoundError,
  type RequestInfo,
  type RequestLine,
  type StatusError,
  unknownPathError,
} from "@rookery/kube";
import type { Target } from "../body-renamer.ts";
import { applyEdits, type NameForm } from "../forms/form.ts";
import { nameEdit } from "../forms/text-edits.ts";
import type { GroupMapping } from "../mapping/group-mapping.ts";

/**
 * The shape of a body: objects, the list of paths, the list of groups, OpenAPI, its index, or
 * content without groups (logs, metrics, tunnels).
 */
export type BodyShape = "object" | "index" | "discovery" | "openApi" | "openApiIndex" | "other";

/**
 * The parts of a request that renaming needs beyond RequestInfo: groups in the paths of discovery
 * and OpenAPI, and the positions of names.
 */
interface PathParts {
  /** Decoded. */
  readonly segments: readonly string[];
  readonly shape: BodyShape;
  readonly groupAt?: number;
  readonly nameAt?: number;
  readonly target?: Target;
  readonly isWatch: boolean;
}

/** The content of these subresources is not the API's. */
const tunnelled: ReadonlySet<string> = new Set(["attach", "exec", "log", "portforward", "proxy"]);

/** Throws a StatusError for a path that the next server could read differently. */
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

export interface RequestTarget {
  readonly path: string;
  readonly shape: BodyShape;
  /** With the group as in the request; absent for discovery and OpenAPI. */
  readonly target?: Target;
  /** Absent for requests about all objects of a resource. */
  readonly name?: string;
  readonly isWatch: boolean;
}

/** The form of object names, by resources named after groups. */
const namedAfterGroups: ReadonlyMap<string, NameForm> = new Map<string, NameForm>([
  ["apiextensions.k8s.io/customresourcedefinitions", "resourceName"],
  ["apiregistration.k8s.io/apiservices", "versionedGroup"],
  ["internal.apiserver.k8s.io/storageversions", "groupResource"],
]);

/**
 * Renames the path of a request from virtual to real. Throws a StatusError: 404 for a real group,
 * 400 for an ambiguous path.
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

/** The API server's error for an unknown path or object. */
function notThere({ target, nameAt, segments }: PathParts): StatusError {
  const { group = "", resource = "" } = target ?? {};
  const name = nameAt === undefined ? undefined : segments[nameAt];
  if (name !== undefined && namedAfterGroups.has(`${group}/${resource}`)) {
    return notFoundError({ group, resource }, name);
  }
  return unknownPathError();
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

/** Undefined for a real group, which is unknown to the app. */
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
