import { InvalidNameError } from "../errors.ts";
import { validatePathSegmentName } from "../names/names.ts";
import type { GroupVersion, GroupVersionKind, GroupVersionResource } from "./group-version.ts";

/** What can be done with a resource, in the words of discovery and RBAC. */
export type Verb =
  | "create"
  | "delete"
  | "deletecollection"
  | "get"
  | "list"
  | "patch"
  | "update"
  | "watch";

/** A kind and the names under which it is served. */
export interface Resource extends GroupVersionKind {
  readonly plural: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly listKind?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  /** All of them where it is not given. */
  readonly verbs?: readonly Verb[];
  /** Such as "status" and "scale". */
  readonly subresources?: readonly string[];
}

/** What a path points at, within a resource: everything, a namespace, an object, a part of one. */
export interface PathTarget {
  readonly namespace?: string;
  readonly name?: string;
  readonly subresource?: string;
}

/** The group, version and plural name of a resource. */
export function groupVersionResourceOf({
  group,
  version,
  plural,
}: Pick<Resource, "group" | "version" | "plural">): GroupVersionResource {
  return { group, version, resource: plural };
}

/** Where a group and version is served: "/api/v1", "/apis/apps/v1". */
export function groupVersionPath({ group, version }: GroupVersion): string {
  const segments = group === "" ? ["api", version] : ["apis", group, version];
  return `/${segments.map(escapePathSegment).join("/")}`;
}

/**
 * The path of a collection, an object or a subresource, percent-encoded:
 * "/api/v1/namespaces/ns/pods/x/status". A subresource may have segments of its own ("proxy/a/b").
 * Throws an InvalidNameError where a part is empty or could lead elsewhere ("..", "a/b").
 */
export function resourcePath(resource: GroupVersionResource, target: PathTarget = {}): string {
  const { namespace, name, subresource } = target;
  const segments = [
    ...(namespace === undefined ? [] : ["namespaces", checked("namespace", namespace)]),
    checked("resource", resource.resource),
    ...(name === undefined ? [] : [checked("name", name)]),
    ...(subresource === undefined ? [] : subresourceSegments(name, subresource)),
  ];
  return `${groupVersionPath(resource)}/${segments.map(escapePathSegment).join("/")}`;
}

function subresourceSegments(name: string | undefined, subresource: string): string[] {
  if (name === undefined) throw new InvalidNameError("name", "", ["must be non-empty"]);
  return subresource.split("/").map((segment) => checked("subresource", segment));
}

function checked(noun: string, value: string): string {
  const problems = value === "" ? ["must be non-empty"] : validatePathSegmentName(value);
  if (problems.length > 0) throw new InvalidNameError(noun, value, problems);
  return value;
}

/** Escapes one segment of a path as Go's url.PathEscape does, so that "system:node" stays readable. */
export function escapePathSegment(segment: string): string {
  return encodeURIComponent(segment.toWellFormed())
    .replace(/%(?:24|26|2B|3A|3D|40)/g, decodeURIComponent)
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}
