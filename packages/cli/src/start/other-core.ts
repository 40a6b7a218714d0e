import { type Client, NoMatchError } from "@rookery/client";
import { isNotFound, type KubeObject } from "@rookery/kube";
import { coreName } from "./providers.ts";

const providerLabel = "cluster.x-k8s.io/provider";

/** Whether a cluster has a core of Cluster API that is not Rookery's own: there must be no second one. */
export async function hasOtherCore(client: Client): Promise<boolean> {
  const definition = await find(client, {
    ...{ group: "apiextensions.k8s.io", kind: "CustomResourceDefinition" },
    name: "clusters.cluster.x-k8s.io",
  });
  if (definition) return definition.metadata.labels?.[providerLabel] !== coreName;
  const declared = await listCores(client);
  return declared.some(({ metadata }) => metadata.name !== coreName);
}

interface Wanted {
  readonly group: string;
  readonly kind: string;
  readonly name: string;
}

async function find(client: Client, wanted: Wanted): Promise<KubeObject | undefined> {
  const { name, ...kind } = wanted;
  try {
    const resource = await client.mapper.resourceForKind(kind);
    return await client.resource<KubeObject>(resource).get({ name });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** None where there is no operator yet. */
async function listCores(client: Client): Promise<readonly KubeObject[]> {
  try {
    const kind = { group: "management.cluster.x-k8s.io", kind: "CoreProvider" };
    const resource = await client.mapper.resourceForKind(kind);
    return (await client.resource<KubeObject>(resource).list()).items;
  } catch (error) {
    if (error instanceof NoMatchError) return [];
    throw error;
  }
}
