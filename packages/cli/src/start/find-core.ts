import { type Client, getOptional, ignoreNotFound, NoMatchError } from "@rookery/client";
import { providerLabel } from "@rookery/cluster-api";
import type { KubeObject } from "@rookery/kube";
import { coreName } from "./providers.ts";

type DeclaredCore = KubeObject<{ readonly apiGroupSuffix?: string }>;

/** The core of Cluster API that a cluster has: there must be no second one. */
export interface FoundCore {
  /** Rookery's own, another one, or none. */
  readonly is: "own" | "other" | "none";
  /** The objects that declare it to the operator; none where somebody else has installed it. */
  readonly declared: readonly KubeObject[];
}

export async function findCore(client: Client): Promise<FoundCore> {
  const definition = await find(client, {
    group: "apiextensions.k8s.io",
    kind: "CustomResourceDefinition",
    name: "clusters.cluster.x-k8s.io",
  });
  const declared = await listCores(client);
  const known = definition?.metadata.labels?.[providerLabel];
  const names = [...(definition ? [known] : []), ...declared.map(({ metadata }) => metadata.name)];
  if (names.length === 0) return { is: "none", declared };
  return { is: names.every((name) => name === coreName) ? "own" : "other", declared };
}

interface Wanted {
  readonly group: string;
  readonly kind: string;
  readonly name: string;
}

async function find(client: Client, wanted: Wanted): Promise<KubeObject | undefined> {
  const { name, ...kind } = wanted;
  const resource = await ignoreNotFound(client.mapper.resourceForKind(kind));
  return resource && getOptional(client.resource<KubeObject>(resource), { name });
}

/** Those under Cluster API's own groups; none where there is no operator yet. */
async function listCores(client: Client): Promise<readonly KubeObject[]> {
  try {
    const kind = { group: "management.cluster.x-k8s.io", kind: "CoreProvider" };
    const resource = await client.mapper.resourceForKind(kind);
    const { items } = await client.resource<DeclaredCore>(resource).list();
    return items.filter(({ spec }) => !spec?.apiGroupSuffix);
  } catch (error) {
    if (error instanceof NoMatchError) return [];
    throw error;
  }
}
