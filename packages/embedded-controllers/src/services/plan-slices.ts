import type { Endpoint, EndpointSlice, EndpointSlicePort, Service } from "@rookery/api";
import { deepEqual, validateDns1123Subdomain } from "@rookery/kube";
import {
  type AddressType,
  endpointKey,
  isOwnedBy,
  isSameEndpoint,
  type PortGroup,
  portsKey,
  sliceLabels,
} from "./desired-endpoints.ts";

export const maxEndpointsPerSlice = 100;

export interface SlicePlan {
  readonly create: readonly EndpointSlice[];
  readonly update: readonly EndpointSlice[];
  readonly delete: readonly EndpointSlice[];
}

export interface SliceState {
  readonly service: Service;
  readonly addressType: AddressType;
  readonly existing: readonly EndpointSlice[];
  readonly desired: readonly PortGroup[];
}

/**
 * The fewest writes after which the slices of a Service hold what they should: slices that fit stay
 * as they are, and what is new fills the fullest of those that change anyway.
 */
export function planSlices(state: SliceState): SlicePlan {
  const { existing, desired, service } = state;
  const owned = existing.filter((slice) => isOwnedBy(slice, service));
  const byPorts = Map.groupBy(owned, ({ ports }) => portsKey(ports ?? []));
  const wanted = new Set(desired.map(({ ports }) => portsKey(ports)));
  const plans = desired.map((group) =>
    planGroup(byPorts.get(portsKey(group.ports)) ?? [], group, state),
  );
  const plan = joinPlans([
    deletionOf(existing.filter((slice) => !isOwnedBy(slice, service))),
    ...plans,
    deletionOf(owned.filter(({ ports }) => !wanted.has(portsKey(ports ?? [])))),
  ]);
  return recycled(withPlaceholder(plan, state), service);
}

export function joinPlans(plans: readonly SlicePlan[]): SlicePlan {
  return {
    create: plans.flatMap(({ create }) => create),
    update: plans.flatMap(({ update }) => update),
    delete: plans.flatMap((plan) => plan.delete),
  };
}

export function deletionOf(slices: readonly EndpointSlice[]): SlicePlan {
  return { create: [], update: [], delete: slices };
}

/** A Service without endpoints has one empty slice, so that it is known that it has none. */
function withPlaceholder(plan: SlicePlan, state: SliceState): SlicePlan {
  const remains = state.existing.length > plan.delete.length || plan.create.length > 0;
  if (remains) return plan;
  const placeholder = newSlice([], state);
  const [only] = plan.delete;
  const isThere =
    plan.delete.length === 1 && only !== undefined && isPlaceholder(only, placeholder);
  return isThere ? { ...plan, delete: [] } : { ...plan, create: [placeholder] };
}

function isPlaceholder(slice: EndpointSlice, wanted: EndpointSlice): boolean {
  return (
    (slice.endpoints ?? []).length === 0 &&
    (slice.ports ?? []).length === 0 &&
    slice.addressType === wanted.addressType &&
    deepEqual(slice.metadata?.labels ?? {}, wanted.metadata?.labels ?? {}) &&
    deepEqual(slice.metadata?.ownerReferences, wanted.metadata?.ownerReferences)
  );
}

/** Slices to delete take the content of slices to create. */
function recycled(plan: SlicePlan, service: Service): SlicePlan {
  const create = [...plan.create];
  const update = [...plan.update];
  const remaining = plan.delete.filter((slice) => {
    const next = create.at(-1);
    const fits = next?.addressType === slice.addressType && isOwnedBy(slice, service);
    if (next === undefined || !fits) return true;
    create.pop();
    update.push(withContent(slice, next));
    return false;
  });
  return { create, update, delete: remaining };
}

function withContent(slice: EndpointSlice, { metadata, endpoints, ports }: EndpointSlice) {
  const { labels, ownerReferences } = metadata ?? {};
  return {
    ...slice,
    metadata: {
      ...slice.metadata,
      ...(labels && { labels }),
      ...(ownerReferences && { ownerReferences }),
    },
    endpoints: endpoints ?? [],
    ports: ports ?? [],
  };
}

/** Slices of one group of ports. */
function planGroup(
  slices: readonly EndpointSlice[],
  { ports, endpoints }: PortGroup,
  state: SliceState,
): SlicePlan {
  const left = new Map(endpoints.map((endpoint) => [endpointKey(endpoint), endpoint]));
  const kept = slices.map((slice) => keepWanted(slice, left, state.service));
  const emptied = kept.filter(({ slice, endpoints: own }) => {
    return own.length === 0 && (slice.endpoints ?? []).length > 0;
  });
  const rest = kept.filter((slice) => !emptied.includes(slice));
  const changing = rest.filter(({ isChanged }) => isChanged);
  for (const slice of changing.toSorted((a, b) => b.endpoints.length - a.endpoints.length)) {
    fill(slice.endpoints, left);
  }
  const create: EndpointSlice[] = [];
  while (left.size > 0) {
    const roomy = roomiest(
      rest.filter(({ isChanged }) => !isChanged),
      left.size,
    );
    const target: Endpoint[] = roomy?.endpoints ?? [];
    fill(target, left);
    if (roomy) roomy.isChanged = true;
    else create.push({ ...newSlice(ports, state), endpoints: target });
  }
  const labels = sliceLabels(state.service);
  const update = rest.filter(({ isChanged }) => isChanged);
  return {
    create,
    update: update.map(({ slice, endpoints: own }) => ({
      ...slice,
      metadata: { ...slice.metadata, labels },
      endpoints: own,
    })),
    delete: emptied.map(({ slice }) => slice),
  };
}

interface KeptSlice {
  readonly slice: EndpointSlice;
  readonly endpoints: Endpoint[];
  isChanged: boolean;
}

/** The endpoints that stay in their slice; removes them from those that are left to place. */
function keepWanted(
  slice: EndpointSlice,
  left: Map<string, Endpoint>,
  service: Service,
): KeptSlice {
  let isChanged = !deepEqual(slice.metadata?.labels ?? {}, sliceLabels(service));
  const endpoints = (slice.endpoints ?? []).flatMap((endpoint) => {
    const key = endpointKey(endpoint);
    const wanted = left.get(key);
    left.delete(key);
    if (wanted === undefined || !isSameEndpoint(wanted, endpoint)) isChanged = true;
    return wanted === undefined ? [] : [wanted];
  });
  return { slice, endpoints, isChanged };
}

function fill(endpoints: Endpoint[], left: Map<string, Endpoint>): void {
  for (const [key, endpoint] of left) {
    if (endpoints.length >= maxEndpointsPerSlice) return;
    endpoints.push(endpoint);
    left.delete(key);
  }
}

/** The fullest slice with room for so many endpoints; undefined where there is none. */
function roomiest(slices: readonly KeptSlice[], count: number): KeptSlice | undefined {
  const fitting = slices.filter(
    ({ endpoints }) => endpoints.length + count <= maxEndpointsPerSlice,
  );
  return fitting.toSorted((a, b) => b.endpoints.length - a.endpoints.length)[0];
}

function newSlice(
  ports: readonly EndpointSlicePort[],
  { service, addressType }: SliceState,
): EndpointSlice {
  const slice = sliceOwnedBy("Service", service, { labels: sliceLabels(service) });
  return { ...slice, addressType, endpoints: [], ports: [...ports] };
}

/** A new slice without content, whose name begins with that of its owner. */
export function sliceOwnedBy(
  kind: "Service" | "Endpoints",
  { metadata }: Pick<Service, "metadata">,
  own: Pick<NonNullable<EndpointSlice["metadata"]>, "labels" | "annotations">,
): EndpointSlice {
  const { name = "", namespace = "", uid = "" } = metadata ?? {};
  const isPrefix = validateDns1123Subdomain(`${name}-a`).length === 0;
  const owner = { apiVersion: "v1", kind, name, uid, controller: true, blockOwnerDeletion: true };
  return {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: {
      generateName: isPrefix ? `${name}-` : name,
      namespace,
      ...own,
      ownerReferences: [owner],
    },
  };
}
