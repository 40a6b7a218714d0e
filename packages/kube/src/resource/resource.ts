import { InvalidNameError } from "../errors.ts";
import { validatePathSegmentName } from "../names/names.ts";
import type { GroupVersion, GroupVersionKind, GroupVersionResource } from "./group-version.ts";

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
  /** All verbs where absent. */
  readonly verbs?: readonly Verb[];
  /** Such as "status" and "scale". */
  readonly subresources?: readonly string[];
}

/** The target of a path within a resource: a collection, a namespace, an object, a subresource. */
export interface PathTarget {
  readonly namespace?: string;
  readonly name?: string;
  readonly subresource?: string;
}

export function groupVersionResourceOf({
  group,
  version,
  plural,
}: Pick<Resource, "group" | "version" | "plural">): GroupVersionResource {
  return { group, version, resource: plural };
}

/** The path of a group and version: "/api/v1", "/apis/apps/v1". */
export function groupVersionPath({ group, version }: GroupVersion): string {
  const segments = group === "" ? ["api", version] : ["apis", group, version];
  return `/${segments.map(escapePathSegment).join("/")}`;
}

/**
 * The percent-encoded path of a collection, an object or a subresource:
 * "/api/v1/namespaces/ns/pods/x/status". A subresource may have several segments ("proxy/a/b").
 * Throws an InvalidNameError for an empty or ambiguous part ("..", "a/b").
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

/** Escapes as Go's url.PathEscape does, so that "system:node" stays readable. */
export function escapePathSegment(segment: string): string {
  return encodeURIComponent(segment.toWellFormed())
    .replace(/%(?:24|26|2B|3A|3D|40)/g, decodeURIComponent)
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}
