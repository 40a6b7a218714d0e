import type { Provider } from "@rookery/api";
import { type Client, getOptional } from "@rookery/client";
import { clusterApiGroup, providerLabel } from "@rookery/cluster-api";
import type { ComponentKey } from "@rookery/components";
import { messageOf } from "@rookery/errors";
import { formatGroupKind, type KubeObject } from "@rookery/kube";
import { PhaseError } from "../errors.ts";
import { labelOf } from "../identity/identity.ts";
import { has, type NamespaceSet } from "../identity/namespace-set.ts";
import { builtOn, describeProvider, isCore, suffixOf } from "../instances/core-of.ts";
import { abandonedNamespaces, familyOf, remainingInstances } from "../instances/family.ts";
import { secrets } from "../resources.ts";
import type { InstallState } from "../state/install-state.ts";
import { type ProviderView, type ProviderViews, recordedView } from "../state/provider-view.ts";
import { type SecretObject, stateKey, stateOf } from "../state/state-secrets.ts";
import { servedResource } from "../storage-versions/definition.ts";
import { ClusterSearch, referredKinds } from "./cluster-search.ts";

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

/** Finds clusters and ExtensionConfigs that use a provider; for a core, also its providers. */
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

type Service = Pick<ComponentKey, "name" | "namespace">;

interface ExtensionConfig extends KubeObject {
  readonly spec?: {
    readonly clientConfig?: {
      readonly url?: string;
      readonly service?: { readonly name?: string; readonly namespace?: string };
    };
  };
}

interface ExtensionScope {
  readonly search: ClusterSearch;
  readonly client: Client;
  /** The provider's label; its own ExtensionConfigs are deleted with it. */
  readonly own: string;
}

/** The ExtensionConfigs with a Service of a provider; the core stops if it does not answer. */
async function extensionsAt(
  services: readonly Service[],
  groups: readonly string[],
  { search, client, own }: ExtensionScope,
): Promise<readonly string[]> {
  if (services.length === 0) return [];
  const found = new Set<string>();
  const names = groups.map((group) => `extensionconfigs.runtime.${group}`);
  for (const resource of (await search.definitions(names)).map(servedResource)) {
    if (!resource) continue;
    await client.resource<ExtensionConfig>(resource).listPages({}, ({ list }) => {
      const foreign = list.items.filter(({ metadata }) => metadata.labels?.[providerLabel] !== own);
      const users = foreign.filter((one) => services.some((service) => leadsTo(one, service)));
      for (const { metadata } of users) found.add(`ExtensionConfig ${metadata.name}`);
    });
  }
  return [...found];
}

/** By name, or by the host name of a Service. */
export function leadsTo({ spec }: ExtensionConfig, { name, namespace }: Service): boolean {
  const { url, service } = spec?.clientConfig ?? {};
  if (service) return service.name === name && service.namespace === namespace;
  const host = url === undefined ? "" : (URL.parse(url)?.hostname ?? "");
  return `${host}.`.startsWith(`${name}.${namespace}.`);
}

/** The users that would keep a provider from being deleted while `staying` remain. */
export async function previewDeletion(
  client: Client,
  provider: Provider,
  staying: readonly Provider[],
): Promise<InUse | undefined> {
  const secret = await getOptional(client.resource<SecretObject>(secrets), stateKey(provider));
  const state = secret && stateOf(secret);
  if (state === undefined) return undefined;
  const self = await recordedView(client, provider);
  const others = await Promise.all(staying.map((one) => recordedView(client, one)));
  return findUsersInTheWay({ self, others }, state, client);
}
