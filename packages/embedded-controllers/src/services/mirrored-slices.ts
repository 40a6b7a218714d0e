import type {
  Endpoint,
  EndpointAddress,
  EndpointPort,
  EndpointSlice,
  EndpointSlicePort,
  EndpointSubset,
  Endpoints,
} from "@rookery/api";
import { deepEqual } from "@rookery/kube";
import { parseLegacyIp } from "@rookery/schema";
import { endpointKey, isSameEndpoint, portsKey } from "./desired-endpoints.ts";
import { repackSubsets } from "./endpoint-subsets.ts";
import { deletionOf, joinPlans, type SlicePlan, sliceOwnedBy } from "./plan-slices.ts";

export const mirrorManager = "endpointslicemirroring-controller.k8s.io";
const maxMirrored = 1000;
/** They say something of the Endpoints themselves. */
const notMirrored = [
  "endpoints.kubernetes.io/last-change-trigger-time",
  "kubectl.kubernetes.io/last-applied-configuration",
];
const reserved = ["kubernetes.io/service-name", "endpointslice.kubernetes.io/managed-by"];

/** The writes after which slices say what Endpoints that someone made by hand do. */
export function planMirror(endpoints: Endpoints, existing: readonly EndpointSlice[]): SlicePlan {
  const wanted = wantedSlices(endpoints);
  const byKey = Map.groupBy(existing, keyOf);
  const plans = wanted.map((slice): SlicePlan => {
    const [first, ...others] = byKey.get(keyOf(slice)) ?? [];
    if (first === undefined) return { create: [slice], update: [], delete: others };
    const update = isMirrored(first, slice) ? [] : [replaced(first, slice)];
    return { create: [], update, delete: others };
  });
  const keys = new Set(wanted.map(keyOf));
  const surplus = existing.filter((slice) => !keys.has(keyOf(slice)));
  return recycled(joinPlans([...plans, deletionOf(surplus)]));
}

function keyOf({ addressType, ports }: EndpointSlice): string {
  return `${addressType} ${portsKey(ports ?? [])}`;
}

function recycled(plan: SlicePlan): SlicePlan {
  const create = [...plan.create];
  const update = [...plan.update];
  const remaining = plan.delete.filter((slice) => {
    const index = create.findIndex(({ addressType }) => addressType === slice.addressType);
    const [next] = index < 0 ? [] : create.splice(index, 1);
    if (next === undefined) return true;
    update.push(replaced(slice, next));
    return false;
  });
  return { create, update, delete: remaining };
}

/** As one that is made anew, under the name of another. */
function replaced({ metadata }: EndpointSlice, wanted: EndpointSlice): EndpointSlice {
  const { generateName: _, ...rest } = wanted.metadata ?? {};
  return { ...wanted, metadata: { ...rest, name: metadata?.name ?? "" } };
}

function isMirrored(slice: EndpointSlice, wanted: EndpointSlice): boolean {
  const byKey = new Map((slice.endpoints ?? []).map((each) => [endpointKey(each), each]));
  const endpoints = wanted.endpoints ?? [];
  const { labels = {}, annotations = {}, ownerReferences } = slice.metadata ?? {};
  return (
    endpoints.length === byKey.size &&
    endpoints.every((endpoint) => {
      const found = byKey.get(endpointKey(endpoint));
      return found !== undefined && isSameEndpoint(endpoint, found);
    }) &&
    deepEqual(labels, wanted.metadata?.labels ?? {}) &&
    deepEqual(annotations, wanted.metadata?.annotations ?? {}) &&
    deepEqual(ownerReferences, wanted.metadata?.ownerReferences)
  );
}

function wantedSlices(endpoints: Endpoints): readonly EndpointSlice[] {
  return repackSubsets(endpoints.subsets ?? []).flatMap((subset) => {
    const ports = (subset.ports ?? []).map(slicePort);
    const mirrored = endpointsOf(subset);
    return (["IPv4", "IPv6"] as const).flatMap((addressType) => {
      const own = mirrored.filter(({ family }) => family === addressType);
      if (own.length === 0) return [];
      const list = own.map(({ endpoint }) => endpoint);
      return [{ ...emptySlice(endpoints), addressType, endpoints: list, ports }];
    });
  });
}

function slicePort({ name = "", port, protocol = "TCP", appProtocol }: EndpointPort) {
  const own: EndpointSlicePort = { name, protocol };
  return {
    ...own,
    ...(port !== undefined && { port }),
    ...(appProtocol !== undefined && { appProtocol }),
  };
}

interface MirroredEndpoint {
  readonly family: "IPv4" | "IPv6";
  readonly endpoint: Endpoint;
}

function endpointsOf({ addresses = [], notReadyAddresses = [] }: EndpointSubset) {
  const all = [
    ...addresses.flatMap((address) => endpointOf(address, true)),
    ...notReadyAddresses.flatMap((address) => endpointOf(address, false)),
  ];
  return all.slice(0, maxMirrored);
}

function endpointOf(address: EndpointAddress, ready: boolean): readonly MirroredEndpoint[] {
  const { ip = "", hostname = "", nodeName, targetRef } = address;
  const parsed = parseLegacyIp(ip);
  if (parsed === undefined) return [];
  const endpoint = {
    addresses: [ip],
    conditions: { ready },
    ...(hostname !== "" && { hostname }),
    ...(targetRef && { targetRef }),
    ...(nodeName !== undefined && { nodeName }),
  };
  return [{ family: parsed.family === 6 ? "IPv6" : "IPv4", endpoint }];
}

function emptySlice(endpoints: Endpoints): EndpointSlice {
  const { name = "", labels = {}, annotations = {} } = endpoints.metadata ?? {};
  const without = (all: Record<string, string>, keys: readonly string[]) =>
    Object.fromEntries(Object.entries(all).filter(([key]) => !keys.includes(key)));
  return sliceOwnedBy("Endpoints", endpoints, {
    labels: {
      ...without(labels, reserved),
      "kubernetes.io/service-name": name,
      "endpointslice.kubernetes.io/managed-by": mirrorManager,
    },
    annotations: without(annotations, notMirrored),
  });
}
