import type { Endpoint, EndpointSlice, EndpointSlicePort, Node, Pod, Service } from "@rookery/api";
import { deepEqual } from "@rookery/kube";
import {
  addressesOf,
  hostnameOf,
  isHeadlessService,
  isPodReady,
  isReachable,
  targetPortOf,
} from "./service-pods.ts";

export type AddressType = "IPv4" | "IPv6";

/** Endpoints that offer the same ports, and so share slices. */
export interface PortGroup {
  readonly ports: readonly EndpointSlicePort[];
  readonly endpoints: readonly Endpoint[];
}

export interface DesiredOptions {
  readonly service: Service;
  readonly pods: readonly Pod[];
  readonly addressType: AddressType;
  nodeOf(name: string): Node | undefined;
}

const zoneLabel = "topology.kubernetes.io/zone";

/** The desired endpoints of a Service, grouped by the ports that its pods have. */
export function desiredEndpoints(options: DesiredOptions): readonly PortGroup[] {
  const { service, pods } = options;
  const byPorts = new Map<string, { ports: readonly EndpointSlicePort[]; pods: Pod[] }>();
  for (const pod of pods.filter((each) => isReachable(each, true))) {
    const ports = portsAt(pod, service);
    const key = portsKey(ports);
    const group = byPorts.get(key) ?? { ports, pods: [] };
    byPorts.set(key, group);
    group.pods.push(pod);
  }
  return [...byPorts.values()].map((group) => ({
    ports: group.ports,
    endpoints: group.pods.flatMap((pod) => endpointsOf(pod, options)),
  }));
}

function portsAt(pod: Pod, service: Service): readonly EndpointSlicePort[] {
  return (service.spec?.ports ?? []).flatMap((servicePort) => {
    const port = targetPortOf(pod, servicePort);
    if (port === undefined) return [];
    const { name = "", protocol = "TCP", appProtocol } = servicePort;
    return [{ name, port, protocol, ...(appProtocol !== undefined && { appProtocol }) }];
  });
}

/** The same for ports that differ in nothing but their order. */
export function portsKey(ports: readonly EndpointSlicePort[]): string {
  const shown = ports.map(({ name = "", port = null, protocol = "TCP", appProtocol = "" }) =>
    JSON.stringify([name, port, protocol, appProtocol]),
  );
  return shown.sort().join();
}

/** None of a pod whose node is not known, unless the Service asks for all. */
function endpointsOf(
  pod: Pod,
  { service, addressType, nodeOf }: DesiredOptions,
): readonly Endpoint[] {
  const addresses = addressesOf(pod, addressType);
  const { nodeName = "" } = pod.spec ?? {};
  const node = nodeOf(nodeName);
  const isPublished = service.spec?.publishNotReadyAddresses ?? false;
  if (addresses.length === 0 || (node === undefined && !isPublished)) return [];
  const serving = isPodReady(pod);
  const terminating = pod.metadata?.deletionTimestamp !== undefined;
  const hostname = hostnameOf(pod, service);
  const zone = node?.metadata?.labels?.[zoneLabel];
  const { namespace = "", name = "", uid = "" } = pod.metadata ?? {};
  return [
    {
      addresses: [...addresses],
      conditions: { ready: isPublished || (serving && !terminating), serving, terminating },
      ...(hostname !== undefined && { hostname }),
      targetRef: { kind: "Pod", namespace, name, uid },
      ...(nodeName !== "" && { nodeName }),
      ...(zone && { zone }),
    },
  ];
}

const reserved = [
  "kubernetes.io/service-name",
  "endpointslice.kubernetes.io/managed-by",
  "service.kubernetes.io/headless",
];

/** The labels of a Service's slices: its own, and what slices are found by. */
export function sliceLabels(service: Service): Record<string, string> {
  const own = Object.entries(service.metadata?.labels ?? {});
  return {
    ...Object.fromEntries(own.filter(([key]) => !reserved.includes(key))),
    ...(isHeadlessService(service) && { "service.kubernetes.io/headless": "" }),
    "kubernetes.io/service-name": service.metadata?.name ?? "",
    "endpointslice.kubernetes.io/managed-by": sliceManager,
  };
}

export const sliceManager = "endpointslice-controller.k8s.io";

/** Whether two endpoints are the same one, whatever state they are in. */
export function endpointKey({ addresses = [], hostname = "", targetRef }: Endpoint): string {
  return JSON.stringify([addresses, hostname, targetRef?.uid ?? ""]);
}

export function isSameEndpoint(one: Endpoint, other: Endpoint): boolean {
  return deepEqual(stateOf(one), stateOf(other));
}

function stateOf({ conditions, nodeName, zone, targetRef }: Endpoint): unknown {
  const { name, uid } = targetRef ?? {};
  return { conditions: { ...conditions }, nodeName, zone, name, uid };
}

export function isOwnedBy(slice: EndpointSlice, service: Service): boolean {
  return (slice.metadata?.ownerReferences ?? []).some(
    ({ uid, kind }) => uid === service.metadata?.uid && kind === "Service",
  );
}
