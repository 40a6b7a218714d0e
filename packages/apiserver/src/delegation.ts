import type { Handler } from "@rookery/http";
import type { RequestInfo } from "@rookery/kube";

/** A group that another server serves, as far as discovery tells of it. */
export interface DelegatedGroup {
  readonly name: string;
  readonly versions: readonly DelegatedVersion[];
}

export interface DelegatedVersion {
  readonly name: string;
  /** As aggregated discovery lists them. */
  readonly resources: readonly object[];
  /** "Stale" where they may be others by now: who serves them could not be asked. */
  readonly freshness: "Current" | "Stale";
}

/** Other servers that answer for a part of what this one is asked. */
export interface Delegation {
  /** Who answers a request that has been authenticated and authorized; undefined for this server. */
  handlerOf(info: RequestInfo): Handler | undefined;
  /** What they serve. Read anew with `setGroups`. */
  groups(): readonly DelegatedGroup[];
  /** Their entries of /openapi/v3. Read anew with `setGroups`. */
  openApiPaths(): Readonly<Record<string, object>>;
}
