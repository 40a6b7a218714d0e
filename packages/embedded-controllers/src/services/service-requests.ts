import type { Service } from "@rookery/api";
import type { StoreEntry, StoreEvent, StoreReader } from "@rookery/kube";
import type { Request } from "@rookery/runtime";
import { hasSelectedPods } from "./service-pods.ts";

const zoneLabel = "topology.kubernetes.io/zone";

/** All Services with pods, where a node comes, goes or moves: their endpoints say where they are. */
export function servicesOfNode(store: StoreReader) {
  return ({ object }: StoreEntry, event?: StoreEvent): readonly Request[] => {
    // At the start, the Services themselves are reconciled.
    if (event === undefined) return [];
    const before = event.previous?.object.metadata.labels?.[zoneLabel];
    const isMoved = before !== object.metadata.labels?.[zoneLabel];
    if (event.entry !== undefined && event.previous !== undefined && !isMoved) return [];
    const { entries } = store.list("services");
    return entries
      .filter(({ object: service }) => hasSelectedPods(service as Service))
      .map(({ namespace, name }) => ({ namespace, name }));
  };
}

/** The Service of a slice that a controller keeps. */
export function servicesOfSlice(
  { namespace, object }: StoreEntry,
  manager: string,
): readonly Request[] {
  const { labels = {} } = object.metadata;
  const name = labels["kubernetes.io/service-name"] ?? "";
  const isOurs = labels["endpointslice.kubernetes.io/managed-by"] === manager;
  return isOurs && name !== "" ? [{ namespace, name }] : [];
}
