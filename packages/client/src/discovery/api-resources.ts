import type { Resource } from "@rookery/kube";

/** A group and its versions that could be discovered, the server's preferred one first. */
export interface ApiGroup {
  /** "" for the core group. */
  readonly name: string;
  readonly versions: readonly string[];
}

/** What a server serves. */
export interface ApiResources {
  /** In the server's order of preference, core first. */
  readonly groups: readonly ApiGroup[];
  /** Of all groups and versions, in their order. */
  readonly resources: readonly Resource[];
  /** By apiVersion: what could not be discovered, as when an aggregated API is down. */
  readonly failed: ReadonlyMap<string, Error>;
}

/** What one endpoint, or one group and version, adds to it. */
export function joinApiResources(parts: readonly ApiResources[]): ApiResources {
  return {
    groups: parts.flatMap((part) => part.groups),
    resources: parts.flatMap((part) => part.resources),
    failed: new Map(parts.flatMap((part) => [...part.failed])),
  };
}
