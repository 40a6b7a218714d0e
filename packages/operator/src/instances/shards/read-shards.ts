import type { Provider } from "@rookery/api";
import type { Client } from "@rookery/client";
import { providerLabel } from "@rookery/cluster-api";
import { getCondition, type PartialObjectMetadata } from "@rookery/kube";
import { metadataOnlyClient } from "@rookery/runtime";
import { instancePodLabel, watchedBy } from "../../components/watch-annotation.ts";
import { labelOf } from "../../identity/identity.ts";
import {
  intersection,
  isEmpty,
  minus,
  type NamespaceSet,
  noNamespaces,
  setOfFields,
  union,
} from "../../identity/namespace-set.ts";
import {
  customResourceDefinitions,
  listIfServed,
  pods,
  providerResources,
} from "../../resources.ts";
import { type Definition, servedResource } from "../../storage-versions/definition.ts";
import { claimOf } from "../family.ts";
import { type ManagerPod, readLoad } from "./read-load.ts";
import {
  type InstanceNamespaces,
  reportShards,
  type SeenInstance,
  type SeenProvider,
  type ShardReport,
  type UnmetClaim,
} from "./shard-report.ts";

export interface ShardOptions {
  /** The seconds over which the rate of reconciles is measured; 1 by default. */
  readonly seconds?: number;
}

/** Reports the namespaces and the load of all instances. Rejects as the client does. */
export async function readShards(
  client: Client,
  { seconds = 1 }: ShardOptions = {},
): Promise<ShardReport> {
  // Before the providers, so that their status is not older than their pods.
  const { items } = await client
    .resource<ManagerPod>(pods)
    .listAll({ labelSelector: instancePodLabel });
  const live = items.filter(({ status }) => !/^(Failed|Succeeded)$/.test(status?.phase ?? ""));
  const lists = await Promise.all(
    providerResources.map((resource) => listIfServed<Provider>(client, resource)),
  );
  const families = Map.groupBy(lists.flat(), (provider) => `${provider.kind} ${labelOf(provider)}`);
  const seen = [...families.values()].map((members) => inspect(members, live, { client, seconds }));
  return reportShards(await Promise.all(seen));
}

async function inspect(
  members: readonly Provider[],
  live: readonly ManagerPod[],
  { client, seconds }: { readonly client: Client; readonly seconds: number },
): Promise<SeenProvider> {
  const [first] = members;
  const label = first ? labelOf(first) : "";
  const theirs = live.filter(({ metadata }) => metadata.labels?.[instancePodLabel] === label);
  const byNamespace = Map.groupBy(theirs, ({ metadata }) => metadata.namespace ?? "");
  const instances = members.filter(isInstalled).map(async (provider): Promise<SeenInstance> => {
    const { namespace = "" } = provider.metadata;
    const own = byNamespace.get(namespace) ?? [];
    const { by = "none", first: isFirst = true } = provider.status?.watch ?? {};
    const measured = await readLoad(client, own, seconds);
    const watched = watchedNow(provider, own);
    return { instance: namespace, watched, by, first: isFirst, measured };
  });
  const seen = await Promise.all(instances);
  const pending = pendingNamespaces(members);
  const watched = seen.map(({ instance, watched: namespaces }) => ({ instance, namespaces }));
  return {
    provider: first ? `${first.kind} ${first.metadata.name}` : "",
    instances: seen,
    pending,
    claims: unmetClaims(members, [...watched, ...pending]),
    objects: await countObjects(client, label),
  };
}

function isInstalled({ status }: Provider): boolean {
  return status?.installedVersion !== undefined;
}

function watchedNow({ status }: Provider, own: readonly ManagerPod[]): NamespaceSet {
  if (own.length > 0) return union(...own.map(({ metadata }) => watchedBy(metadata)));
  return setOfFields(status?.watch ?? {});
}

/** Counts the objects of a provider's kinds by namespace. */
async function countObjects(client: Client, label: string): Promise<ReadonlyMap<string, number>> {
  const labelSelector = `${providerLabel}=${label}`;
  const definitions = client.resource<Definition>(customResourceDefinitions);
  const { items } = await definitions.listAll({ labelSelector });
  const counts = new Map<string, number>();
  for (const resource of items.map(servedResource)) {
    if (!resource?.namespaced) continue;
    const found: PartialObjectMetadata[] = [];
    await metadataOnlyClient(client.handler, resource).listPages({}, ({ list, restarted }) => {
      if (restarted) found.length = 0;
      found.push(...list.items);
    });
    for (const { metadata } of found) {
      const { namespace = "" } = metadata;
      counts.set(namespace, (counts.get(namespace) ?? 0) + 1);
    }
  }
  return counts;
}

/** Reasons of Ready that pass without a change: then the instance will watch all that its spec claims. */
const passing: ReadonlySet<string> = new Set([
  "WaitingForHandOver",
  "WaitingForFirst",
  "WaitingForDeployments",
  "Installing",
  "Upgrading",
]);

/** The namespaces that instances will watch: those that the operator gave them, or that they wait for. */
export function pendingNamespaces(members: readonly Provider[]): readonly InstanceNamespaces[] {
  return claimsOf(members).map(({ provider, instance, claim, reason = "" }) => {
    const { watch } = provider.status ?? {};
    const given = watch ? setOfFields(watch) : noNamespaces;
    return { instance, namespaces: passing.has(reason) ? claim : intersection(claim, given) };
  });
}

/** Claimed namespaces that an instance neither watches nor will watch. */
function unmetClaims(
  members: readonly Provider[],
  watched: readonly InstanceNamespaces[],
): readonly UnmetClaim[] {
  return claimsOf(members)
    .map(({ instance, claim, reason }) => {
      const own = watched.filter((other) => other.instance === instance);
      const unmet = minus(claim, ...own.map(({ namespaces }) => namespaces));
      return { instance, claim: unmet, ...(reason && { reason }) };
    })
    .filter(({ claim }) => !isEmpty(claim));
}

interface InstanceClaim {
  readonly provider: Provider;
  readonly instance: string;
  readonly claim: NamespaceSet;
  /** The reason of its Ready condition. */
  readonly reason: string | undefined;
}

/** The claims of all instances that are not being deleted. */
function claimsOf(members: readonly Provider[]): readonly InstanceClaim[] {
  const declared = members.map((provider) => ({ provider }));
  return declared
    .filter(({ provider }) => provider.metadata.deletionTimestamp === undefined)
    .map((one) => {
      const { metadata, status } = one.provider;
      return {
        provider: one.provider,
        instance: metadata.namespace ?? "",
        claim: claimOf(one, declared),
        reason: getCondition(status?.conditions, "Ready")?.reason,
      };
    });
}
