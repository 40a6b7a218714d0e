import { type Client, getOptional } from "@rookery/client";
import { providerLabel } from "@rookery/cluster-api";
import type { KubeObject, ObjectMeta } from "@rookery/kube";
import { metadataOf } from "../components/component-client.ts";
import { isScaledDown } from "../components/deployment.ts";
import { instancePodLabel, watchedBy } from "../components/watch-annotation.ts";
import { labelOf } from "../identity/identity.ts";
import type { NamespaceSet } from "../identity/namespace-set.ts";
import { deployments, pods, replicaSets, secrets } from "../resources.ts";
import { stateKey } from "../state/state-secrets.ts";
import { describeInstance, type Family, type Instance } from "./family.ts";

/** Namespaces that an instance, or a part of it, may be watching. */
export interface HeldNamespaces {
  /** For messages. */
  readonly holder: string;
  readonly namespaces: NamespaceSet;
}

type WithTemplate = KubeObject<
  { readonly replicas?: number; readonly template?: { readonly metadata?: ObjectMeta } },
  { readonly replicas?: number; readonly observedGeneration?: number }
>;
type Pod = KubeObject<unknown, { readonly phase?: string }>;

/**
 * The namespaces that other instances may be watching, read from the server.
 *
 * Guarantees: an instance that does not hold a namespace now has to record it before it can. Its record
 * is read first, then its Deployments, its ReplicaSets and its pods, in the order in which a change
 * passes through them, so that none is missed in between.
 */
export async function findHeldNamespaces(
  { self, others }: Family,
  client: Client,
): Promise<readonly HeldNamespaces[]> {
  const held: HeldNamespaces[] = [];
  for (const other of others) {
    held.push(...(await recordedNamespaces([other], client)));
    held.push(...(await namespacesOfWorkloads(other, client)));
  }
  return [...held, ...(await namespacesOfStrayPods(self, client))];
}

/** Pods of instances whose objects are gone, because their finalizers were removed by hand. */
async function namespacesOfStrayPods(
  { view: { provider } }: Instance,
  client: Client,
): Promise<readonly HeldNamespaces[]> {
  const labelSelector = `${instancePodLabel}=${labelOf(provider)}`;
  const { items } = await client.resource<Pod>(pods).list({ labelSelector });
  const isElsewhere = ({ metadata }: Pod) => metadata.namespace !== provider.metadata.namespace;
  return items.filter((pod) => isElsewhere(pod) && isLive(pod)).map((pod) => heldBy(pod));
}

export async function recordedNamespaces(
  others: readonly Instance[],
  client: Client,
): Promise<readonly HeldNamespaces[]> {
  const found = others.map(async (other): Promise<HeldNamespaces[]> => {
    const state = await getOptional(metadataOf(client, secrets), stateKey(other.view.provider));
    if (!state) return [];
    return [{ holder: describeInstance(other), namespaces: watchedBy(state.metadata) }];
  });
  return (await Promise.all(found)).flat();
}

async function namespacesOfWorkloads(
  { view: { provider } }: Instance,
  client: Client,
): Promise<readonly HeldNamespaces[]> {
  const { namespace = "" } = provider.metadata;
  const label = labelOf(provider);
  const own = await client
    .resource<WithTemplate>(deployments)
    .list({ namespace, labelSelector: `${providerLabel}=${label}` });
  const sets = await client.resource<WithTemplate>(replicaSets).list({ namespace });
  const running = await client.resource<Pod>(pods).list({ namespace });
  const ofDeployments = ownedBy(own.items, label);
  const ownSets = sets.items.filter(({ metadata }) => ofDeployments(metadata));
  const ofSets = ownedBy(ownSets, label);
  return [
    ...own.items.map(heldByTemplate),
    ...ownSets.filter((set) => !isScaledDown(set)).map(heldByTemplate),
    ...running.items.filter((pod) => ofSets(pod.metadata) && isLive(pod)).map((pod) => heldBy(pod)),
  ];
}

/** Selects the dependents of some owners, and objects with the label of the provider's pods. */
function ownedBy(owners: readonly KubeObject[], label: string) {
  const uids = new Set(owners.map(({ metadata }) => metadata.uid));
  return ({ labels = {}, ownerReferences = [] }: ObjectMeta) =>
    labels[instancePodLabel] === label || ownerReferences.some(({ uid }) => uids.has(uid));
}

/** Failed and succeeded pods run nothing, and will not start again. */
function isLive({ status }: Pod): boolean {
  return status?.phase !== "Failed" && status?.phase !== "Succeeded";
}

function heldByTemplate(object: WithTemplate): HeldNamespaces {
  return heldBy(object, object.spec?.template?.metadata);
}

function heldBy({ kind = "", metadata }: KubeObject, marked = metadata): HeldNamespaces {
  const holder = `${kind} ${metadata.namespace}/${metadata.name}`.trim();
  return { holder, namespaces: watchedBy(marked) };
}
