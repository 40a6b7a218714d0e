import { escapePathSegment, notFoundError, type StatusError, statusError } from "@rookery/kube";
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
  /** Whether the path itself asks for a watch, as it did of old. */
  readonly isWatchPath: boolean;
}

/** How objects are named of resources that are named after groups. */
const namedAfterGroups: ReadonlyMap<string, NameForm> = new Map<string, NameForm>([
  ["apiextensions.k8s.io/customresourcedefinitions", "resourceName"],
  ["apiregistration.k8s.io/apiservices", "versionedGroup"],
  ["internal.apiserver.k8s.io/storageversions", "groupResource"],
]);

/**
 * Renames a request's path from virtual to real, and tells what it is about. Undefined where it
 * names a real group, or could mean another path to who reads it next: that is not there.
 */
export function targetOfPath(path: string, mapping: GroupMapping): RequestTarget | undefined {
  const parts = splitPath(path);
  if (parts === undefined) return undefined;
  const { groupAt, nameAt, shape, target, isWatchPath } = parts;
  const renames = [
    ...renamed(parts, groupAt, (group) => realGroup(group, mapping)),
    ...renamed(parts, nameAt, (name) => realName(name, target, mapping)),
  ];
  if (renames.some(([, real]) => real === undefined)) return undefined;
  const name = nameAt === undefined ? undefined : parts.segments[nameAt];
  return {
    path: withSegments(path, parts, renames),
    shape,
    isWatchPath,
    ...(target && { target }),
    ...(name !== undefined && { name }),
  };
}

/** What an API server says of a path that leads nowhere, and of an object that is not there. */
export function refusalOf(path: string): StatusError {
  const { target, nameAt, segments } = splitPath(path) ?? {};
  const { group = "", resource = "" } = target ?? {};
  const name = nameAt === undefined ? undefined : segments?.[nameAt];
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

function withSegments(path: string, { places }: PathParts, renames: readonly Rename[]): string {
  if (renames.length === 0) return path;
  const raw = path.split("/");
  for (const [at, real = ""] of renames) raw[places[at] ?? 0] = escapePathSegment(real);
  return raw.join("/");
}
