import type { Pod } from "@rookery/api";
import { type PodStreams, type ResourceRequest, unclassifiedError } from "@rookery/apiserver";
import { badRequestError, type KubeObject, notFoundError, type StatusError } from "@rookery/kube";
import type { HttpClientPool } from "../../http-client-pool.ts";
import type { Store } from "../../store/store.ts";

export interface StreamingContext {
  readonly store: Store;
  /** Streams of the node; undefined without a node. */
  readonly podStreams: () => PodStreams | undefined;
  readonly clients: HttpClientPool;
  /** Called with unexpected errors of streams. */
  readonly onError: (error: unknown) => void;
}

export type StoredPod = KubeObject & Pod;

/** Throws a 404. */
export function podOf(
  store: Store,
  { namespace, name }: Pick<ResourceRequest, "namespace" | "name">,
): StoredPod {
  const found = store.get({ resource: "pods", namespace, name })?.object;
  if (!found) throw notFoundError({ group: "", resource: "pods" }, name);
  return found as StoredPod;
}

/** The named container, or the only one. Throws a bad request. */
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

/** Throws if the pod is not scheduled. */
export function assertHasHost(pod: StoredPod): void {
  if (nodeNameOf(pod) !== "") return;
  throw badRequestError(`pod ${pod.metadata.name} does not have a host assigned`);
}

/** The streams of the pod's node. Throws if the node is unknown or unreachable. */
export function streamsOf({ store, podStreams }: StreamingContext, pod: StoredPod): PodStreams {
  const name = nodeNameOf(pod);
  if (!store.get({ resource: "nodes", namespace: "", name })) {
    // Kubernetes names the requested resource here.
    throw notFoundError({ group: "", resource: "pods" }, name);
  }
  const streams = podStreams();
  if (!streams) throw unreachable(`node ${name} does not run here`);
  return streams;
}

export function unreachable(why: string): StatusError {
  return unclassifiedError(`error dialing backend: ${why}`);
}

export function podReference({ metadata }: StoredPod) {
  const { namespace = "", name = "", uid = "" } = metadata;
  return { namespace, pod: name, uid };
}
