import type { Pod, Service, ServicePort } from "@rookery/api";
import type { StoreEntry, StoreEvent, StoreReader } from "@rookery/kube";
import { labelSelectorFromSet, storedObjects } from "@rookery/kube";
import type { Request } from "@rookery/runtime";

/** The pods that a Service selects, whatever they are up to. */
export function podsOf({ metadata, spec }: Service, store: StoreReader): readonly Pod[] {
  const selector = labelSelectorFromSet(spec?.selector ?? {});
  return storedObjects<Pod>(store, "pods", metadata?.namespace ?? "").filter((pod) =>
    selector.matches(pod.metadata?.labels ?? {}),
  );
}

/** Whether a Service gets its endpoints from the pods that it selects. */
export function hasSelectedPods({ spec }: Service): boolean {
  return spec?.type !== "ExternalName" && spec?.selector !== undefined;
}

export function isHeadlessService({ spec }: Service): boolean {
  return !spec?.clusterIP || spec.clusterIP === "None";
}

/** The Services that a change of a pod concerns: those that select it, and those that did before. */
export function servicesOfPod(store: StoreReader) {
  return (entry: StoreEntry, event?: StoreEvent): readonly Request[] => {
    const states = [entry, event?.previous].map((each) => each?.object.metadata.labels ?? {});
    const { entries } = store.list("services", { namespace: entry.namespace });
    return entries
      .filter(({ object }) => {
        const { selector } = (object as Service).spec ?? {};
        if (selector === undefined) return false;
        const selects = labelSelectorFromSet(selector);
        return states.some((labels) => selects.matches(labels));
      })
      .map(({ namespace, name }) => ({ namespace, name }));
  };
}

/** Whether traffic may be meant for a pod: it has an address and has not ended. */
export function isReachable({ metadata, status }: Pod, includesTerminating: boolean): boolean {
  const { phase = "", podIP = "", podIPs = [] } = status ?? {};
  if (phase === "Failed" || phase === "Succeeded") return false;
  if (podIP === "" && podIPs.length === 0) return false;
  return includesTerminating || metadata?.deletionTimestamp === undefined;
}

export function isPodReady({ status }: Pod): boolean {
  return (status?.conditions ?? []).some((each) => each.type === "Ready" && each.status === "True");
}

/** The addresses that a pod has of a family. */
export function addressesOf({ status }: Pod, family: "IPv4" | "IPv6"): readonly string[] {
  return (status?.podIPs ?? [])
    .map(({ ip = "" }) => ip)
    .filter((ip) => ip !== "" && ip.includes(":") === (family === "IPv6"));
}

/** The number that a Service's port has at a pod; undefined where the pod does not name it. */
export function targetPortOf({ spec }: Pod, port: ServicePort): number | undefined {
  const target = port.targetPort ?? port.port ?? 0;
  if (typeof target === "number") return target;
  const sidecars = (spec?.initContainers ?? []).filter((each) => each.restartPolicy === "Always");
  const ports = [...(spec?.containers ?? []), ...sidecars].flatMap((each) => each.ports ?? []);
  const found = ports.find(({ name, protocol = "TCP" }) => {
    return name === target && protocol === (port.protocol ?? "TCP");
  });
  return found?.containerPort;
}

/** The name by which the pod is found below a headless Service. */
export function hostnameOf({ metadata, spec }: Pod, service: Service): string | undefined {
  const { name, namespace } = service.metadata ?? {};
  const isOfService = spec?.subdomain === name && metadata?.namespace === namespace;
  return spec?.hostname && isOfService ? spec.hostname : undefined;
}

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
