import type { EndpointSlice, Service } from "@rookery/api";

/** A name of cluster DNS below a namespace, and its address. */
export interface ServiceName {
  readonly address: string;
  /** "web", or "web-0.web" of a pod behind a headless Service. */
  readonly name: string;
  readonly namespace: string;
}

const slicesOf = "kubernetes.io/service-name";

/** The names of all Services: of their addresses, or of the ready pods behind those that have none. */
export function serviceNames(
  services: readonly Service[],
  slices: readonly EndpointSlice[],
): readonly ServiceName[] {
  return services.flatMap((service) => {
    const { name = "", namespace = "" } = service.metadata ?? {};
    const { clusterIP = "" } = service.spec ?? {};
    if (clusterIP !== "" && clusterIP !== "None") return [{ address: clusterIP, name, namespace }];
    const own = slices.filter(
      ({ metadata }) => metadata?.namespace === namespace && metadata.labels?.[slicesOf] === name,
    );
    return own.flatMap((slice) => endpointNames(slice, { name, namespace }));
  });
}

function endpointNames(
  { endpoints }: EndpointSlice,
  { name, namespace }: Pick<ServiceName, "name" | "namespace">,
): readonly ServiceName[] {
  // Of a Service without pods the list is null.
  const ready = (endpoints ?? []).filter(({ conditions }) => conditions?.ready !== false);
  return ready.flatMap(({ addresses = [], hostname }) =>
    addresses.flatMap((address) => [
      { address, name, namespace },
      ...(hostname ? [{ address, name: `${hostname}.${name}`, namespace }] : []),
    ]),
  );
}
