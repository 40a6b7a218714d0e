import {
  escapePathSegment,
  notFoundError,
  type RequestLine,
  type StatusError,
  statusError,
} from "@rookery/kube";
import type { Target } from "../body-renamer.ts";
import { applyEdits, type NameForm } from "../forms/form.ts";
import { nameEdit } from "../forms/name-edit.ts";
import type { GroupMapping } from "../mapping/group-mapping.ts";
import { type BodyShape, type PathParts, splitPath } from "./path-parts.ts";

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
