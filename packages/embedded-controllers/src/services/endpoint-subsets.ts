import type { EndpointAddress, EndpointPort, EndpointSubset, Pod, Service } from "@rookery/api";
import { addressesOf, hostnameOf, isPodReady, isReachable, targetPortOf } from "./service-pods.ts";

const maxAddresses = 1000;

export interface ServedSubsets {
  readonly subsets: readonly EndpointSubset[];
  /** Whether there are more addresses than an Endpoints object may have. */
  readonly isTruncated: boolean;
}

/** The desired subsets of a Service's Endpoints. */
export function subsetsOf(service: Service, pods: readonly Pod[]): ServedSubsets {
  const { ports = [], ipFamilies, publishNotReadyAddresses = false } = service.spec ?? {};
  const family = ipFamilies?.[0] === "IPv6" ? "IPv6" : "IPv4";
  const reachable = pods.filter((pod) => isReachable(pod, publishNotReadyAddresses));
  const single = reachable.flatMap((pod): EndpointSubset[] => {
    const [ip] = addressesOf(pod, family);
    if (ip === undefined) return [];
    const address = addressAt(ip, pod, service);
    const list = publishNotReadyAddresses || isPodReady(pod) ? "addresses" : "notReadyAddresses";
    if (ports.length === 0) return [{ [list]: [address] }];
    return ports.flatMap((servicePort) => {
      const port = targetPortOf(pod, servicePort);
      if (port === undefined) return [];
      return [{ [list]: [address], ports: [portAt(port, servicePort)] }];
    });
  });
  return truncated(repackSubsets(single));
}

function addressAt(ip: string, pod: Pod, service: Service): EndpointAddress {
  const hostname = hostnameOf(pod, service);
  const { namespace = "", name = "", uid = "" } = pod.metadata ?? {};
  return {
    ip,
    ...(hostname !== undefined && { hostname }),
    nodeName: pod.spec?.nodeName ?? "",
    targetRef: { kind: "Pod", namespace, name, uid },
  };
}

function portAt(port: number, { name = "", protocol = "TCP", appProtocol }: EndpointPort) {
  return {
    ...(name !== "" && { name }),
    port,
    protocol,
    ...(appProtocol !== undefined && { appProtocol }),
  };
}

interface Offered {
  readonly port: EndpointPort | undefined;
  /** By address; one that is not ready anywhere is not ready. */
  readonly addresses: Map<string, { address: EndpointAddress; isReady: boolean }>;
}

/** The same endpoints in the one form that is compared: ports that all of some addresses have, together. */
export function repackSubsets(subsets: readonly EndpointSubset[]): readonly EndpointSubset[] {
  const offered = new Map<string, Offered>();
  for (const subset of subsets) {
    const ports = (subset.ports ?? []).length === 0 ? [undefined] : (subset.ports ?? []);
    for (const port of ports) addAddresses(offered, port, subset);
  }
  const byAddresses = Map.groupBy(offered.values(), ({ addresses }) =>
    [...addresses]
      .map(([key, { isReady }]) => `${key} ${isReady}`)
      .toSorted()
      .join(),
  );
  const packed = [...byAddresses.values()].map((group): EndpointSubset => {
    const all = [...(group[0]?.addresses.values() ?? [])];
    const [ready, notReady] = [true, false].map((wanted) =>
      all.flatMap(({ address, isReady }) => (isReady === wanted ? [address] : [])).sort(byAddress),
    );
    const ports = group.flatMap(({ port }) => port ?? []).sort(byPort);
    return {
      ...(ready?.length && { addresses: ready }),
      ...(notReady?.length && { notReadyAddresses: notReady }),
      ...(ports.length > 0 && { ports }),
    };
  });
  return packed.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

function addAddresses(
  offered: Map<string, Offered>,
  port: EndpointPort | undefined,
  { addresses = [], notReadyAddresses = [] }: EndpointSubset,
): void {
  const key = JSON.stringify(port ?? null);
  const known = offered.get(key) ?? { port, addresses: new Map() };
  offered.set(key, known);
  const add = (address: EndpointAddress, isReady: boolean) => {
    const id = `${address.ip} ${address.targetRef?.uid ?? ""}`;
    const before = known.addresses.get(id);
    if (before === undefined) known.addresses.set(id, { address, isReady });
    else before.isReady &&= isReady;
  };
  for (const address of addresses) add(address, true);
  for (const address of notReadyAddresses) add(address, false);
}

function byAddress(a: EndpointAddress, b: EndpointAddress): number {
  const [one, other] = [a, b].map(({ ip, targetRef }) => `${ip} ${targetRef?.uid ?? ""}`);
  return (one ?? "") < (other ?? "") ? -1 : 1;
}

function byPort(a: EndpointPort, b: EndpointPort): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;
}

/** The ready ones first. */
function truncated(subsets: readonly EndpointSubset[]): ServedSubsets {
  const count = (list: "addresses" | "notReadyAddresses") =>
    subsets.reduce((sum, subset) => sum + (subset[list] ?? []).length, 0);
  if (count("addresses") + count("notReadyAddresses") <= maxAddresses) {
    return { subsets, isTruncated: false };
  }
  let [ready, notReady] = [maxAddresses, Math.max(0, maxAddresses - count("addresses"))];
  const cut = subsets.map(({ addresses = [], notReadyAddresses = [], ports }): EndpointSubset => {
    const [some, others] = [addresses.slice(0, ready), notReadyAddresses.slice(0, notReady)];
    ready -= some.length;
    notReady -= others.length;
    return {
      ...(some.length > 0 && { addresses: some }),
      ...(others.length > 0 && { notReadyAddresses: others }),
      ...(ports && { ports }),
    };
  });
  const isLeft = (subset: EndpointSubset) => subset.addresses ?? subset.notReadyAddresses;
  return { subsets: cut.filter((subset) => isLeft(subset) !== undefined), isTruncated: true };
}
