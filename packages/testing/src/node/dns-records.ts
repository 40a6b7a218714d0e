import type { KubeObject } from "@rookery/kube";

/** The fields that names come from. */
export type Service = KubeObject<{ readonly clusterIP?: string }>;
export interface EndpointSlice extends KubeObject {
  readonly addressType: string;
  readonly endpoints?: readonly {
    readonly addresses: readonly string[];
    readonly hostname?: string;
    readonly conditions?: { readonly ready?: boolean };
  }[];
}

const serviceName = "kubernetes.io/service-name";
const name = /^(?:([^.]+)\.)?([^.]+)\.([^.]+)\.svc\.cluster\.local$/;

/**
 * The IPv4 addresses of a name as Kubernetes' DNS has them: `<service>.<namespace>.svc.cluster.local`
 * and, of a headless Service, `<hostname>.<service>…`. Undefined where there is no such name.
 */
export function addressesOf(
  wanted: string,
  services: readonly Service[],
  slices: readonly EndpointSlice[],
): string[] | undefined {
  const [, host, service, namespace] = name.exec(wanted) ?? [];
  const found = services.find(
    ({ metadata }) => metadata.name === service && metadata.namespace === namespace,
  );
  if (!found) return undefined;
  const clusterIP = found.spec?.clusterIP;
  if (clusterIP && clusterIP !== "None") return host ? undefined : [clusterIP];
  const endpoints = slices
    .filter((slice) => slice.addressType === "IPv4" && slice.metadata.namespace === namespace)
    .filter((slice) => slice.metadata.labels?.[serviceName] === service)
    .flatMap((slice) => slice.endpoints ?? [])
    .filter((endpoint) => endpoint.conditions?.ready !== false)
    .filter((endpoint) => !host || endpoint.hostname === host);
  if (host && endpoints.length === 0) return undefined;
  return [...new Set(endpoints.flatMap(({ addresses }) => addresses))];
}
