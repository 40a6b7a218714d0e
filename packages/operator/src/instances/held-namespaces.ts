import { type Client, getOptional } from "@rookery/client";
import { providerLabel } from "@rookery/cluster-api";
import type { KubeObject, ObjectMeta } from "@rookery/kube";
import { metadataOf } from "../components/metadata-of.ts";
import { instancePodLabel, watchedBy } from "../components/watch-annotation.ts";
import { labelOf } from "../identity/identity.ts";
import type { NamespaceSet } from "../identity/namespace-set.ts";
import { deployments, pods, replicaSets, secrets } from "../resources.ts";
import { stateKey } from "../state/state-secrets.ts";
import { describeInstance, type Family, type Instance } from "./family.ts";

/** Somebody who may be watching namespaces. */
export interface HeldNamespaces {
  /** For people. */
  readonly who: string;
  readonly namespaces: NamespaceSet;
}

interface Dependencies {
  readonly client: Client;
  readonly signal: AbortSignal;
}

type WithTemplate = KubeObject<
  { readonly replicas?: number; readonly template?: { readonly metadata?: ObjectMeta } },
  { readonly replicas?: number; readonly observedGeneration?: number }
>;
type Pod = KubeObject<unknown, { readonly phase?: string }>;

/**
 * All that may be watching namespaces for other instances, as the server knows it now.
 *
 * Guarantees: what is not held now will not be, unless the instance records it first: its record
 * tells what it may apply, its Deployments what they will start, its ReplicaSets what they may be
 * starting, and its pods what runs. They are read in this order, so that nothing slips through
 * between two of them.
 */
export async function findHeldNamespaces(
  { self, others }: Family,
  dependencies: Dependencies,
): Promise<readonly HeldNamespaces[]> {
  const holdings: HeldNamespaces[] = [];
  for (const other of others) {
    holdings.push(...(await recordedNamespaces([other], dependencies)));
    holdings.push(...(await namespacesOfWorkloads(other, dependencies)));
  }
  return [...holdings, ...(await namespacesOfStrayPods(self, dependencies))];
}

/** Pods of instances whose objects are gone, because somebody took their finalizers away. */
async function namespacesOfStrayPods(
  { view: { provider } }: Instance,
  { client, signal }: Dependencies,
): Promise<readonly HeldNamespaces[]> {
  const labelSelector = `${instancePodLabel}=${labelOf(provider)}`;
  const { items } = await client.resource<Pod>(pods).list({ labelSelector, signal });
  const isElsewhere = ({ metadata }: Pod) => metadata.namespace !== provider.metadata.namespace;
  return items.filter((pod) => isElsewhere(pod) && isLive(pod)).map(heldByPod);
}

/** What other instances have recorded that they may watch. */
export async function recordedNamespaces(
  others: readonly Instance[],
  { client, signal }: Dependencies,
): Promise<readonly HeldNamespaces[]> {
  const found = others.map(async (other): Promise<HeldNamespaces[]> => {
    const key = stateKey(other.view.provider);
    const state = await getOptional(metadataOf(client, secrets), key, { signal });
    if (!state) return [];
    return [{ who: describeInstance(other), namespaces: watchedBy(state.metadata) }];
  });
  return (await Promise.all(found)).flat();
}

async function namespacesOfWorkloads(
  { view: { provider } }: Instance,
  { client, signal }: Dependencies,
): Promise<readonly HeldNamespaces[]> {
  const { namespace = "" } = provider.metadata;
  const label = labelOf(provider);
  const own = await client
    .resource<WithTemplate>(deployments)
    .list({ namespace, labelSelector: `${providerLabel}=${label}`, signal });
  const sets = await client.resource<WithTemplate>(replicaSets).list({ namespace, signal });
  const running = await client.resource<Pod>(pods).list({ namespace, signal });
  const isPart = partOf(own.items, label);
  const parts = sets.items.filter(({ metadata }) => isPart(metadata));
  const isTheirs = partOf(parts, label);
  return [
    ...own.items.map(heldByTemplate),
    ...parts.filter((set) => !isAtRest(set)).map(heldByTemplate),
    ...running.items.filter((pod) => isTheirs(pod.metadata) && isLive(pod)).map(heldByPod),
  ];
}

/** Belongs to one of these owners, or says itself that it is of the provider. */
function partOf(owners: readonly KubeObject[], label: string) {
  const uids = new Set(owners.map(({ metadata }) => metadata.uid));
  return ({ labels = {}, ownerReferences = [] }: ObjectMeta) =>
    labels[instancePodLabel] === label || ownerReferences.some(({ uid }) => uids.has(uid));
}

/** It has no pods, and its controller knows that it is to have none. */
function isAtRest({ metadata, spec, status }: WithTemplate): boolean {
  const isSeen = (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0);
  return spec?.replicas === 0 && isSeen && (status?.replicas ?? 0) === 0;
}

/** In a pod that has failed or succeeded nothing runs, and nothing will. */
function isLive({ status }: Pod): boolean {
  return status?.phase !== "Failed" && status?.phase !== "Succeeded";
}

function heldByTemplate(object: WithTemplate): HeldNamespaces {
  const template = object.spec?.template?.metadata ?? {};
  return { who: nameOf(object), namespaces: watchedBy(template) };
}

function heldByPod(pod: Pod): HeldNamespaces {
  return { who: nameOf(pod), namespaces: watchedBy(pod.metadata) };
}

function nameOf({ kind, metadata }: KubeObject): string {
  return `${kind ?? ""} ${metadata.namespace}/${metadata.name}`.trim();
}
