import type { Client } from "@rookery/client";
import { clusterApiGroup } from "@rookery/cluster-api";
import { type ComponentKey, contentHash } from "@rookery/components";
import { findStatusError, type KubeObject, namespacesExcludedSelector } from "@rookery/kube";
import { type MonotonicClock, metadataOnlyClient, watchTargetsOf } from "@rookery/runtime";
import {
  describeSet,
  has,
  isEmpty,
  type NamespaceSet,
  only,
  scopeOf,
} from "../identity/namespace-set.ts";
import { listSome } from "../list-some.ts";
import { findServedResource } from "../storage-versions/definition.ts";
import { claimedNamespaces, unclaimedInUse } from "./claimed-namespaces.ts";
import { isCore, suffixOf } from "./core-of.ts";
import { describeInstance, type Family, type InstanceWarning } from "./family.ts";

interface Cluster extends KubeObject {
  readonly spec?: {
    readonly topology?: {
      readonly classNamespace?: string;
      readonly classRef?: { readonly namespace?: string };
    };
  };
}

/** The most namespaces that are listed one by one, or excluded by name; else all are listed. */
const mostTargets = 50;

/** Warns of Clusters with a ClusterClass in a namespace that their core does not watch. */
async function referenceWarnings({ self }: Family, client: Client): Promise<InstanceWarning[]> {
  const { view, claim } = self;
  if (!isCore(view)) return [];
  const group = suffixOf(view) ?? clusterApiGroup;
  const resource = await findServedResource(client, `clusters.${group}`);
  if (resource === undefined) return [];
  const isShort = claim.names.length <= mostTargets;
  const leaving: string[] = [];
  for (const target of isShort ? watchTargetsOf(scopeOf(claim), resource) : [{}]) {
    const found: string[] = [];
    const clusters = client.resource<Cluster>(resource);
    await clusters.listPages(target, ({ list, restarted }) => {
      if (restarted) found.length = 0;
      for (const { metadata, spec } of list.items) {
        const { namespace = "", name } = metadata;
        const to = spec?.topology?.classRef?.namespace ?? spec?.topology?.classNamespace;
        if (!to || !has(claim, namespace) || has(claim, to)) continue;
        const instance = describeInstance(self);
        found.push(`Cluster ${namespace}/${name} to ${to}, which ${instance} does not watch`);
      }
    });
    leaving.push(...found);
  }
  if (leaving.length === 0) return [];
  const message =
    `references leave the namespaces of their instance: ${listSome(leaving, 3, "; ")}; ` +
    "let one instance watch both namespaces, or put the ClusterClass beside the Cluster";
  return [{ reason: "ReferencesLeaveScope", message }];
}

/** Objects of the provider's kinds are not watched. */
const againSeconds = 60;
/** The longest field selector. */
const mostTerms = 300;

/** Finds objects in namespaces that nobody watches; remembers the result, because it takes many requests. */
export class NamespaceWarnings {
  readonly againSeconds = againSeconds;
  readonly #clock: Pick<MonotonicClock, "now">;
  readonly #known = new Map<string, { key: string; until: number; found: InstanceWarning[] }>();

  constructor(clock: Pick<MonotonicClock, "now">) {
    this.#clock = clock;
  }

  /** For one instance of a family, with the CRDs that it has. */
  async of(
    family: Family,
    crds: readonly ComponentKey[],
    { client }: { readonly client: Client },
  ): Promise<readonly InstanceWarning[]> {
    const members = [family.self, ...family.others];
    const { uid = "" } = family.self.view.provider.metadata;
    const key = contentHash([members.map(({ claim }) => claim), crds.map(({ name }) => name)]);
    const known = this.#known.get(uid);
    if (known?.key === key && known.until > this.#clock.now()) return known.found;
    const found = await findWarnings(family, crds, client);
    this.#known.set(uid, { key, found, until: this.#clock.now() + againSeconds * 1000 });
    return found;
  }
}

/** None while objects cannot be listed, such as while a conversion webhook starts. */
async function findWarnings(
  family: Family,
  crds: readonly ComponentKey[],
  client: Client,
): Promise<InstanceWarning[]> {
  try {
    const gaps = await gapWarnings(family, crds, client);
    return [...gaps, ...(await referenceWarnings(family, client))];
  } catch (error) {
    if (findStatusError(error) === undefined) throw error;
    return [];
  }
}

async function gapWarnings(
  family: Family,
  crds: readonly ComponentKey[],
  client: Client,
): Promise<InstanceWarning[]> {
  const { unclaimed } = claimedNamespaces(family);
  if (isEmpty(unclaimed)) return [];
  const inUse: string[] = [];
  for (const { name } of crds) inUse.push(...(await namespacesWith(name, unclaimed, client)));
  const found = unclaimedInUse(unclaimed, inUse);
  if (found.length === 0) return [];
  const members = [family.self, ...family.others].map(describeInstance).join(", ");
  const message =
    `nobody watches ${describeSet(only(found))}, where there are objects of the provider: none of ` +
    `${members} claims it; name it in spec.watch.namespaces of one, or make an instance with spec.watch.rest`;
  return [{ reason: "NamespaceGap", message }];
}

/** The namespaces with objects of a kind; also those outside of the set, if it cannot be a selector. */
async function namespacesWith(
  crd: string,
  { isComplement, names }: NamespaceSet,
  client: Client,
): Promise<readonly string[]> {
  const resource = await findServedResource(client, crd);
  if (!resource?.namespaced) return [];
  const isSelected = isComplement && names.length > 0 && names.length <= mostTerms;
  const found = new Set<string>();
  await metadataOnlyClient(client.handler, resource).listPages(
    isSelected ? { fieldSelector: namespacesExcludedSelector(names) } : {},
    ({ list }) => {
      for (const { metadata } of list.items) found.add(metadata.namespace ?? "");
    },
  );
  return [...found];
}
