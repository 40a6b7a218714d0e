import type { Handler } from "@rookery/http";
import type { RequestInfo } from "@rookery/kube";

/** A group of another server, as discovery lists it. */
export interface DelegatedGroup {
  readonly name: string;
  readonly versions: readonly DelegatedVersion[];
}

export interface DelegatedVersion {
  readonly name: string;
  /** In the format of aggregated discovery. */
  readonly resources: readonly object[];
  /** "Stale" if the server could not be reached. */
  readonly freshness: "Current" | "Stale";
}

/** Other servers that serve a part of this server's API. */
export interface Delegation {
  /** The handler of an authorized request; undefined for this server's own. */
  handlerOf(info: RequestInfo): Handler | undefined;
  /** The groups that they serve, read on `setGroups`. */
  groups(): readonly DelegatedGroup[];
  /** Their entries in /openapi/v3, read on `setGroups`. */
  openApiPaths(): Readonly<Record<string, object>>;
}
