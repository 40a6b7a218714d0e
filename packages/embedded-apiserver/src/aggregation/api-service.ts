import type { APIServiceCondition, APIServiceSpec } from "@rookery/api";
import type { DelegatedVersion } from "@rookery/apiserver";
import type { Handler } from "@rookery/http";
import { formatTime, type KubeObject, type RequestInfo } from "@rookery/kube";
import type { ServiceReference } from "../webhooks/service-resolver.ts";
import type { Availability } from "./check-availability.ts";

export const apiServiceResource = "apiservices.apiregistration.k8s.io";

interface ApiServiceStatus {
  readonly conditions?: readonly APIServiceCondition[];
}

export type ApiService = KubeObject<APIServiceSpec, ApiServiceStatus>;

/** The Service of a remote server; undefined for an APIService that this server serves. */
export function serviceOf({ spec }: ApiService): ServiceReference | undefined {
  const { service } = spec ?? {};
  if (!service) return undefined;
  const { namespace = "", name = "", port = 443 } = service;
  return { namespace, name, port };
}

export function isAvailable({ status }: ApiService): boolean {
  return (status?.conditions ?? []).some(
    (condition) => condition.type === "Available" && condition.status === "True",
  );
}

/** Its discovery path, such as "/apis/<group>/<version>". */
export function pathOf({ spec }: ApiService): string {
  const { group = "", version = "" } = spec ?? {};
  return group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
}

/** An APIService of a remote server, with the results of its last check. */
export interface Remote {
  readonly apiService: ApiService;
  readonly handler: Handler;
  readonly version: DelegatedVersion;
  readonly openApi: object | undefined;
}

/** The last known discovery, marked as stale. */
export function staleVersion(known: Remote | undefined, { spec }: ApiService): DelegatedVersion {
  const resources = known?.version.resources ?? [];
  return { name: spec?.version ?? "", resources, freshness: "Stale" };
}

/** The new condition; its transition time changes with its status only. */
export function conditionAfter({ status }: ApiService, availability: Availability, now: Date) {
  const { status: is = "", reason = "", message = "" } = availability;
  const known = status?.conditions?.find(({ type }) => type === "Available");
  const since = known?.status === is ? known.lastTransitionTime : undefined;
  const lastTransitionTime = since ?? formatTime(now);
  return { type: "Available", status: is, lastTransitionTime, reason, message };
}

/** The APIService of a path, including discovery and OpenAPI paths; "" for other paths. */
export function apiServiceNameOf({ isResourceRequest, group, version, path }: RequestInfo): string {
  if (isResourceRequest) return `${version}.${group}`;
  const match = /^(?:\/openapi\/v3)?\/apis\/([^/]+)\/([^/]+)\/?$/.exec(path);
  return match ? `${match[2]}.${match[1]}` : "";
}
