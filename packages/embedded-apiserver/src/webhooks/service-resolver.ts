import type { EndpointSlice, Endpoints, Service } from "@rookery/api";
import { type KubeObject, notFoundError, serviceUnavailableError } from "@rookery/kube";
import type { Store } from "../store/store.ts";

export interface ServiceReference {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

export interface Address {
  readonly host: string;
  readonly port: number;
}

const serviceTypes: readonly (string | undefined)[] = [
  undefined,
  "",
  "ClusterIP",
  "LoadBalancer",
  "NodePort",
];

/**
 * Returns a random ready endpoint of a Service, because nothing routes cluster IPs here. Throws
 * StatusErrors with the messages of kube-apiserver.
 */
export function resolveService(store: Store, reference: ServiceReference): Address {
  const { namespace, name, port } = reference;
  const service = store.get({ resource: "services", namespace, name })?.object as
    | (KubeObject & Service)
    | undefined;
  if (!service) throw notFoundError({ group: "", resource: "services" }, name);
  const { type, externalName = "", ports = [] } = service.spec ?? {};
  if (type === "ExternalName") return { host: externalName, port };
  if (!serviceTypes.includes(type)) throw new Error(`unsupported service type "${type}"`);
  const servicePort = ports.find((each) => each.port === port);
  if (!servicePort) {
    throw serviceUnavailableError(`no service port ${port} found for service "${name}"`);
  }
  const found = readyAddresses(store, reference, servicePort.name ?? "");
  const address = found[Math.floor(Math.random() * found.length)];
  if (!address) throw serviceUnavailableError(`no endpoints available for service "${name}"`);
  return address;
}

function readyAddresses(store: Store, reference: ServiceReference, portName: string): Address[] {
  const { namespace, name } = reference;
  const slices = store
    .list("endpointslices.discovery.k8s.io", { namespace })
    .entries.map(({ object }) => object as KubeObject & EndpointSlice)
    .filter(({ metadata }) => metadata.labels?.["kubernetes.io/service-name"] === name);
  if (slices.length > 0) return slices.flatMap((slice) => sliceAddresses(slice, portName));
  // Without the controller of slices there are only Endpoints.
  const endpoints = store.get({ resource: "endpoints", namespace, name })?.object;
  return endpoints ? endpointsAddresses(endpoints as KubeObject & Endpoints, portName) : [];
}

function sliceAddresses({ ports, endpoints }: EndpointSlice, portName: string): Address[] {
  const port = ports?.find((each) => (each.name ?? "") === portName)?.port;
  if (port === undefined) return [];
  return (endpoints ?? [])
    .filter(({ conditions }) => conditions?.ready !== false)
    .flatMap(({ addresses }) => (addresses ?? []).slice(0, 1))
    .map((host) => ({ host, port }));
}

function endpointsAddresses({ subsets }: Endpoints, portName: string): Address[] {
  return (subsets ?? []).flatMap(({ addresses, ports }) => {
    const port = ports?.find((each) => (each.name ?? "") === portName)?.port;
    if (port === undefined) return [];
    return (addresses ?? []).map(({ ip = "" }) => ({ host: ip, port }));
  });
}
