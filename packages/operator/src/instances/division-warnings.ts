import type { Client } from "@rookery/client";
import { type ComponentKey, contentHash } from "@rookery/components";
import {
  findStatusError,
  isNotFound,
  type KubeObject,
  namespacesExcludedSelector,
} from "@rookery/kube";
import { type MonotonicClock, metadataOnlyClient } from "@rookery/runtime";
import { customResourceDefinitions } from "../resources.ts";
import { type Definition, servedResource } from "../storage-versions/definition.ts";
import { divisionOf, gapsAmong } from "./division.ts";
import { describeInstance, type Family } from "./family.ts";
import { describeSet, has, isEmpty, type NamespaceSet, only } from "./namespace-set.ts";

/** Something that an administrator should know of a division, and that keeps nothing from working. */
export interface DivisionWarning {
  readonly reason: "NamespaceGap" | "ReferencesLeaveScope";
  readonly message: string;
}

interface Dependencies {
  readonly client: Client;
  readonly signal: AbortSignal;
}

/** How often objects are looked at: they are not watched. */
const againSeconds = 60;
/** How many namespaces a request leaves out, and how many references are named. */
const limits = { terms: 300, shown: 3 };
const clusters = "clusters.cluster.x-k8s.io";

/** Remembers, for a while, what was found: events come often, and objects may be many. */
export class DivisionWarnings {
  readonly #clock: Pick<MonotonicClock, "now">;
  readonly #known = new Map<string, { key: string; until: number; found: DivisionWarning[] }>();

  constructor(clock: Pick<MonotonicClock, "now">) {
    this.#clock = clock;
  }

  /** What is to be said of a family by its first instance, whose CRDs are given. */
  async of(
    family: Family,
    crds: readonly ComponentKey[],
    dependencies: Dependencies,
  ): Promise<readonly DivisionWarning[]> {
    const members = [family.self, ...family.others];
    const { uid = "" } = family.self.view.provider.metadata;
    const key = contentHash([members.map(({ claim }) => claim), crds.map(({ name }) => name)]);
    const known = this.#known.get(uid);
    if (known?.key === key && known.until > this.#clock.now()) return known.found;
    const found = await this.#look(family, crds, dependencies);
    this.#known.set(uid, { key, found, until: this.#clock.now() + againSeconds * 1000 });
    return found;
  }

  /** Where objects can't be listed now, such as while a conversion webhook starts, nothing is said. */
  async #look(...[family, crds, dependencies]: Parameters<DivisionWarnings["of"]>) {
    try {
      return [
        ...(await gaps(family, crds, dependencies)),
        ...(await leavingReferences(family, crds, dependencies)),
      ];
    } catch (error) {
      if (findStatusError(error) === undefined) throw error;
      return [];
    }
  }

  readonly againSeconds = againSeconds;
}

async function gaps(
  family: Family,
  crds: readonly ComponentKey[],
  dependencies: Dependencies,
): Promise<DivisionWarning[]> {
  const { unclaimed } = divisionOf(family);
  if (isEmpty(unclaimed)) return [];
  const inUse: string[] = [];
  for (const { name } of crds) {
    inUse.push(...(await namespacesWith(name, unclaimed, dependencies)));
  }
  const found = gapsAmong(unclaimed, inUse);
  if (found.length === 0) return [];
  const members = [family.self, ...family.others].map(describeInstance).join(", ");
  const message =
    `nobody watches ${describeSet(only(found))}, where there are objects of the provider: none of ` +
    `${members} claims it; name it in spec.watch.namespaces of one, or make an instance with spec.watch.rest`;
  return [{ reason: "NamespaceGap", message }];
}

/** Those of some namespaces that objects of a kind are in. */
async function namespacesWith(
  name: string,
  { isComplement, names }: NamespaceSet,
  dependencies: Dependencies,
): Promise<readonly string[]> {
  const resource = await resourceOf(name, dependencies);
  if (!resource?.namespaced) return [];
  const { client, signal } = dependencies;
  const isSelected = isComplement && names.length > 0 && names.length <= limits.terms;
  const found = new Set<string>();
  await metadataOnlyClient(client.handler, resource).listPages(
    { ...(isSelected && { fieldSelector: namespacesExcludedSelector(names) }), signal },
    ({ list }) => {
      for (const { metadata } of list.items) found.add(metadata.namespace ?? "");
    },
  );
  return [...found];
}

interface Cluster extends KubeObject {
  readonly spec?: {
    readonly topology?: {
      readonly classNamespace?: string;
      readonly classRef?: { readonly namespace?: string };
    };
  };
}

/** Clusters whose ClusterClass is in a namespace that another instance watches, or nobody. */
async function leavingReferences(
  family: Family,
  crds: readonly ComponentKey[],
  dependencies: Dependencies,
): Promise<DivisionWarning[]> {
  if (!crds.some(({ name }) => name === clusters)) return [];
  const resource = await resourceOf(clusters, dependencies);
  if (!resource) return [];
  const leaving: string[] = [];
  const members = [family.self, ...family.others];
  const { client, signal } = dependencies;
  await client.resource<Cluster>(resource).listPages({ signal }, ({ list, restarted }) => {
    if (restarted) leaving.length = 0;
    for (const { metadata, spec } of list.items) {
      const { namespace = "", name } = metadata;
      const target = spec?.topology?.classRef?.namespace ?? spec?.topology?.classNamespace;
      const watching = members.find(({ claim }) => has(claim, namespace));
      if (!target || target === namespace || !watching || has(watching.claim, target)) continue;
      leaving.push(
        `Cluster ${namespace}/${name} to ${target}, which ${describeInstance(watching)} does not watch`,
      );
    }
  });
  if (leaving.length === 0) return [];
  const more = leaving.length > limits.shown ? ` and ${leaving.length - limits.shown} more` : "";
  const message =
    `references leave the namespaces of their instance: ${leaving.slice(0, limits.shown).join("; ")}${more}; ` +
    "let one instance watch both namespaces, or put the ClusterClass beside the Cluster";
  return [{ reason: "ReferencesLeaveScope", message }];
}

async function resourceOf(name: string, { client, signal }: Dependencies) {
  try {
    const definitions = client.resource<Definition>(customResourceDefinitions);
    return servedResource(await definitions.get({ name }, { signal }));
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
