import type { Target } from "../body-renamer.ts";

/**
 * What bodies are: objects and what tells of one group, the list of all groups, OpenAPI, its index,
 * or nothing that names groups (logs, metrics, and what is tunnelled).
 */
export type BodyShape = "object" | "discovery" | "openApi" | "openApiIndex" | "other";

/** A path of the API, taken apart as an API server does it. */
export interface PathParts {
  /** Decoded, without empty ones. */
  readonly segments: readonly string[];
  /** Where each of them stands between the slashes of the path. */
  readonly places: readonly number[];
  readonly shape: BodyShape;
  readonly groupAt?: number;
  readonly nameAt?: number;
  readonly target?: Target;
  /** The namespace that the path is about, of a resource in it. */
  readonly namespace?: string;
  readonly isWatchPath: boolean;
}

/** What a subresource of this kind sends and gets is none of the API's business. */
const tunnelled: ReadonlySet<string> = new Set(["attach", "exec", "log", "portforward", "proxy"]);
const ofNamespace: ReadonlySet<string> = new Set(["status", "finalize"]);

type Found = Omit<PathParts, "segments" | "places">;
const nothing: Found = { shape: "other", isWatchPath: false };

/** Undefined where a segment, decoded, would lead elsewhere: "..", or with a slash in it. */
export function splitPath(path: string): PathParts | undefined {
  const raw = path.split("/");
  const places = [...raw.keys()].filter((i) => raw[i] !== "");
  const segments = places.map((i) => decode(raw[i] ?? ""));
  const found = find(segments);
  const end = isTunnelled(found) ? (found.nameAt ?? 0) + 2 : segments.length;
  if (segments.slice(0, end).some(leadsElsewhere)) return undefined;
  return { ...found, segments, places };
}

function find(segments: readonly string[]): Found {
  const [root, version = ""] = segments;
  if (root === "api") return findResource(segments, 2, { group: "", version });
  if (root === "apis") return findInGroup(segments);
  return root === "openapi" ? findDocument(segments) : nothing;
}

function findInGroup(segments: readonly string[]): Found {
  const [, group, version = ""] = segments;
  if (group === undefined) return { shape: "discovery", isWatchPath: false };
  return { ...findResource(segments, 3, { group, version }), groupAt: 1 };
}

function findDocument([, version, root]: readonly string[]): Found {
  if (version === "v3" && root === undefined) return { shape: "openApiIndex", isWatchPath: false };
  const groupAt = root === "apis" ? { groupAt: 3 } : {};
  return { shape: "openApi", isWatchPath: false, ...groupAt };
}

/** From `at` on: perhaps "watch", perhaps a namespace, then resource, name and subresource. */
function findResource(
  segments: readonly string[],
  at: number,
  group: Pick<Target, "group" | "version">,
): Found {
  const isWatchPath = segments[at] === "watch";
  const begin = isWatchPath ? at + 1 : at;
  const from = afterNamespace(segments, begin);
  const [resource, name, subresource] = segments.slice(from);
  if (resource === undefined) return { shape: "object", isWatchPath };
  const target = { ...group, resource, ...(subresource !== undefined && { subresource }) };
  const namespace = from === begin ? undefined : segments[begin + 1];
  const about = { target, isWatchPath, ...(namespace !== undefined && { namespace }) };
  const found = { ...about, ...(name !== undefined && { nameAt: from + 1 }) };
  return { ...found, shape: tunnelled.has(subresource ?? "") ? "other" : "object" };
}

/** "namespaces/x" is the namespace of what follows, and the object itself where nothing does. */
function afterNamespace(segments: readonly string[], at: number): number {
  const inner = segments[at + 2];
  if (segments[at] !== "namespaces" || inner === undefined || ofNamespace.has(inner)) return at;
  return at + 2;
}

function isTunnelled({ shape, target }: Found): boolean {
  return shape === "other" && target !== undefined;
}

function leadsElsewhere(segment: string): boolean {
  return segment === "." || segment === ".." || segment.includes("/");
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
