import type { Pod } from "@rookery/api";
import { type PodStreams, type ResourceRequest, unclassifiedError } from "@rookery/apiserver";
import { badRequestError, type KubeObject, notFoundError, type StatusError } from "@rookery/kube";
import type { Store } from "../../store/store.ts";
import type { ProxyClients } from "./proxy-clients.ts";

/** What leads from the API server into pods. */
export interface StreamingContext {
  readonly store: Store;
  /** The node's; undefined where there is no node, or not yet. */
  readonly podStreams: () => PodStreams | undefined;
  /** Connections to what listens in pods. */
  readonly clients: ProxyClients;
  /** Hears of what the node did not foresee. */
  readonly onError: (error: unknown) => void;
}

export type StoredPod = KubeObject & Pod;

/** Throws a not found. */
export function podOf(
  store: Store,
  { namespace, name }: Pick<ResourceRequest, "namespace" | "name">,
): StoredPod {
  const found = store.get({ resource: "pods", namespace, name })?.object;
  if (!found) throw notFoundError({ group: "", resource: "pods" }, name);
  return found as StoredPod;
}

/** The container that is meant: where none is named, the only one. Throws a bad request. */
export function containerOf({ metadata, spec }: StoredPod, named: string): string {
  const { containers = [], initContainers = [], ephemeralContainers = [] } = spec ?? {};
  const all = [...initContainers, ...containers, ...ephemeralContainers];
  const names = all.map(({ name = "" }) => name);
  const pod = metadata.name ?? "";
  if (named !== "") {
    if (names.includes(named)) return named;
    throw badRequestError(`container ${named} is not valid for pod ${pod}`);
  }
  const [only, ...others] = containers;
  if (only && others.length === 0) return only.name ?? "";
  const needed = `a container name must be specified for pod ${pod}`;
  if (!only) throw badRequestError(needed);
  throw badRequestError(`${needed}, choose one of: [${names.join(" ")}]`);
}

export function nodeNameOf({ spec }: StoredPod): string {
  return spec?.nodeName ?? "";
}

/** Throws where a pod has no host. */
export function assertHasHost(pod: StoredPod): void {
  if (nodeNameOf(pod) !== "") return;
  throw badRequestError(`pod ${pod.metadata.name} does not have a host assigned`);
}

/** Who runs the pod. Throws where its node is not known, or can't be reached. */
export function streamsOf({ store, podStreams }: StreamingContext, pod: StoredPod): PodStreams {
  const name = nodeNameOf(pod);
  if (!store.get({ resource: "nodes", namespace: "", name })) {
    // Kubernetes names the resource that the request is about, whatever is not there.
    throw notFoundError({ group: "", resource: "pods" }, name);
  }
  const streams = podStreams();
  if (!streams) throw unreachable(`node ${name} does not run here`);
  return streams;
}

/** An error of Go without a reason. */
export function unreachable(why: string): StatusError {
  return unclassifiedError(`error dialing backend: ${why}`);
}

/** How the node knows a pod. */
export function podReference({ metadata }: StoredPod) {
  const { namespace = "", name = "", uid = "" } = metadata;
  return { namespace, pod: name, uid };
}
