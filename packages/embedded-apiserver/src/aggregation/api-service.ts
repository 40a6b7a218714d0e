import type { APIServiceCondition, APIServiceSpec } from "@rookery/api";
import type { KubeObject } from "@rookery/kube";
import type { ServiceReference } from "../webhooks/service-resolver.ts";

export const apiServiceResource = "apiservices.apiregistration.k8s.io";

interface ApiServiceStatus {
  readonly conditions?: readonly APIServiceCondition[];
}

/** An APIService as it is stored. */
export type ApiService = KubeObject<APIServiceSpec, ApiServiceStatus>;

/** The Service behind which another server serves it; undefined where this one does. */
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

/** Where discovery tells of it: "/apis/<group>/<version>". */
export function pathOf({ spec }: ApiService): string {
  const { group = "", version = "" } = spec ?? {};
  return group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
}
