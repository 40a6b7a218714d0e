import type { Client } from "@rookery/client";
import { clusterApiGroup } from "@rookery/cluster-api";
import type { ComponentKey } from "@rookery/components";
import { messageOf } from "@rookery/errors";
import { formatGroupKind, type KubeObject } from "@rookery/kube";
import { PhaseError } from "../errors.ts";
import { labelOf } from "../identity/identity.ts";
import { has, type NamespaceSet } from "../identity/namespace-set.ts";
import { builtOn, describeProvider, isCore, suffixOf } from "../instances/core-of.ts";
import { familyOf } from "../instances/family.ts";
import { abandonedNamespaces, remainingInstances } from "../instances/handover.ts";
import type { InstallState } from "../state/install-state.ts";
import type { ProviderView, ProviderViews } from "../state/provider-view.ts";
import { ClusterSearch, referredKinds } from "./cluster-search.ts";
import { extensionsAt } from "./extension-users.ts";

export interface Users {
  readonly count: number;
  /** The first few, such as "Cluster team-a/prod". */
  readonly first: readonly string[];
}

interface Dependencies {
  readonly others: readonly ProviderView[];
  readonly crds: readonly ComponentKey[];
  readonly services: readonly ComponentKey[];
  readonly client: Client;
  /** The namespaces that no other instance watches, if one remains. */
  readonly abandoned?: NamespaceSet;
}

/** The CRDs of Cluster API's kinds that refer to kinds of providers. */
const referring = [
  "clusters",
  "machines",
  "machinesets",
  "machinedeployments",
  "machinepools",
  "ipaddressclaims.ipam",
];

/**
 * Finds the users of a provider: clusters that refer to its kinds, clusters of the objects of its kinds,
 * and ExtensionConfigs with its Services. The users of a core are its providers and all clusters. Throws
 * PhaseError if the search fails.
 */
export async function findUsers(
  self: ProviderView,
  { others, crds, services, client, abandoned }: Dependencies,
): Promise<Users> {
  const isIncluded = (namespace = "") => abandoned === undefined || has(abandoned, namespace);
  const search = new ClusterSearch(client, isIncluded);
  const own = labelOf(self.provider);
  try {
    const users = new Set(
      isCore(self)
        ? [
            // The providers of a core keep it if another instance remains.
            ...(abandoned ? [] : builtOn(self, others).map(describeProvider)),
            ...(await search.everyCluster([`clusters.${suffixOf(self) ?? clusterApiGroup}`])),
          ]
        : [
            ...(await clustersWith(search, self, crds)),
            ...(await extensionsAt(services, groupsFor(self), { search, client, own })),
          ],
    );
    return { count: users.size, first: [...users].slice(0, 5) };
  } catch (cause) {
    const why = messageOf(cause);
    throw new PhaseError("Deleting", "UsersUnknown", {
      message:
        `could not find out who uses ${describeProvider(self)}: ${why}; it is tried again, and nothing is ` +
        "deleted before; where a conversion webhook does not answer, see that its provider runs",
      retryAfterSeconds: 10,
      cause,
    });
  }
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

/** The groups of the cores that a provider may work for. */
function groupsFor(self: ProviderView): readonly string[] {
  return [clusterApiGroup, suffixOf(self)].filter((group) => group !== undefined);
}

/** The users that keep a provider from being deleted. */
export interface InUse extends Users {
  /** "delete them first". */
  readonly wayOut: string;
}

/**
 * Finds the users that keep a provider from being deleted. A provider without components has none:
 * objects with its label belong to other instances then. If another instance remains, only users in
 * namespaces count that it does not watch. Throws PhaseError if the search fails.
 */
export async function findUsersInTheWay(
  { self, others }: ProviderViews,
  state: InstallState,
  client: Client,
): Promise<InUse | undefined> {
  if (state.phase === "Deleting" || state.owned.length === 0) return undefined;
  const crds = state.owned.filter(({ stage }) => stage === "crds");
  const services = state.owned.filter(({ kind }) => kind === "Service");
  const family = familyOf(self, others);
  const hasRemaining = state.layout !== undefined && remainingInstances(family).length > 0;
  const abandoned = hasRemaining && { abandoned: abandonedNamespaces(family) };
  const users = await findUsers(self, { others, crds, services, client, ...abandoned });
  if (users.count === 0) return undefined;
  const wayOut = hasRemaining
    ? "let another instance claim their namespaces, or delete them first"
    : "delete them first";
  return { ...users, wayOut };
}
