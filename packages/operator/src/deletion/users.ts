import type { Client } from "@rookery/client";
import { clusterApiGroup } from "@rookery/cluster-api";
import type { ComponentKey } from "@rookery/components";
import { messageOf } from "@rookery/errors";
import { formatGroupKind, type KubeObject } from "@rookery/kube";
import { PhaseError } from "../errors.ts";
import { labelOf } from "../identity/identity.ts";
import { has, type NamespaceSet } from "../identity/namespace-set.ts";
import { builtOn, describeProvider, isCore, suffixOf } from "../instances/core-of.ts";
import type { ProviderView } from "../state/provider-view.ts";
import { ClusterSearch } from "./cluster-search.ts";
import { extensionsAt } from "./extension-users.ts";
import { referredKinds } from "./references.ts";

export { explainStuck } from "./explain-stuck.ts";

/** Who uses a provider. */
export interface Users {
  readonly count: number;
  /** The first few, such as "Cluster team-a/prod". */
  readonly first: readonly string[];
}

export interface UserDependencies {
  readonly others: readonly ProviderView[];
  /** The CustomResourceDefinitions of the provider. */
  readonly crds: readonly ComponentKey[];
  /** The Services of the provider. */
  readonly services: readonly ComponentKey[];
  readonly client: Client;
  /** Where another instance of the provider stays: the namespaces that it does not watch. */
  readonly abandoned?: NamespaceSet;
}

/** How many users are named. */
const shown = 5;

/** What the groups of Cluster API end with, and the group of its core. */

/** Kinds of Cluster API that refer to those of providers, by the names of their definitions. */
const referring = [
  "clusters",
  "machines",
  "machinesets",
  "machinedeployments",
  "machinepools",
  "ipaddressclaims.ipam",
];

/**
 * Workload clusters that use a provider: those that refer to one of its kinds, and those that objects
 * of its kinds belong to; and ExtensionConfigs by which it is called for clusters. A core is used by all
 * providers that build on it, and by every cluster. Throws PhaseError where it cannot be found out.
 */
export async function findUsers(
  self: ProviderView,
  { others, crds, services, client, abandoned }: UserDependencies,
): Promise<Users> {
  const isConcerned = (namespace = "") => abandoned === undefined || has(abandoned, namespace);
  const search = new ClusterSearch(client, isConcerned);
  const own = labelOf(self.provider);
  try {
    const users = new Set(
      isCore(self)
        ? [...providersOn(self, others, abandoned), ...(await clustersOfCore(search, self))]
        : [
            ...(await clustersWith(search, self, crds)),
            ...(await extensionsAt(services, groupsFor(self), { search, client, own })),
          ],
    );
    return { count: users.size, first: [...users].slice(0, shown) };
  } catch (cause) {
    throw usersUnknown(self, cause);
  }
}

/** Where another instance of a core stays, nothing is taken from those that build on it. */
function providersOn(
  self: ProviderView,
  others: readonly ProviderView[],
  abandoned: NamespaceSet | undefined,
): readonly string[] {
  return abandoned ? [] : builtOn(self, others).map(describeProvider);
}

function clustersOfCore(search: ClusterSearch, self: ProviderView): Promise<readonly string[]> {
  return search.everyCluster([`clusters.${suffixOf(self) ?? clusterApiGroup}`]);
}

async function clustersWith(
  search: ClusterSearch,
  self: ProviderView,
  crds: readonly ComponentKey[],
): Promise<readonly string[]> {
  const own = await search.definitions(crds.map(({ name }) => name));
  const kinds = new Set(
    own.map(({ spec: { group, names } }) => formatGroupKind({ group, kind: names.kind })),
  );
  const places = referring.flatMap((name) => groupsFor(self).map((group) => `${name}.${group}`));
  const isUser = (object: KubeObject) => referredKinds(object).some((kind) => kinds.has(kind));
  return [...(await search.everyCluster(places, isUser)), ...(await search.clustersOfObjects(own))];
}

/** What the groups of the cores end with that a provider may work for. */
function groupsFor(self: ProviderView): readonly string[] {
  return [clusterApiGroup, suffixOf(self)].filter((group) => group !== undefined);
}

function usersUnknown(self: ProviderView, cause: unknown): PhaseError {
  const why = messageOf(cause);
  return new PhaseError("Deleting", "UsersUnknown", {
    message:
      `could not find out who uses ${describeProvider(self)}: ${why}; it is tried again, and nothing is ` +
      "deleted before; where a conversion webhook does not answer, see that its provider runs",
    retryAfterSeconds: 10,
    cause,
  });
}
