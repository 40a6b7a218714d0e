import { type Client, ConfigError, parseUntrustedConfig } from "@rookery/client";
import { clusterNameLabel } from "@rookery/cluster-api";
import {
  builtInResources,
  findStatusError,
  isForbidden,
  isNotFound,
  type KubeObject,
} from "@rookery/kube";
import { KubeconfigError } from "../errors.ts";
import { listClusters } from "./clusters.ts";
import { whyNoCluster } from "./missing-cluster.ts";

interface ClusterPlace {
  readonly namespace: string;
  readonly name: string;
}

type Secret = KubeObject & { readonly data?: Readonly<Record<string, string>> };

/**
 * The kubeconfig for people where the control plane provider writes one, else that of controllers.
 * Errors: KubeconfigError, which says why there is none.
 */
export async function readKubeconfig(client: Client, cluster: ClusterPlace): Promise<string> {
  return (await findUserKubeconfig(client, cluster)) ?? (await readAnyKubeconfig(client, cluster));
}

/** Of control planes of other kinds, and for whoever may read the other one alone, there is none. */
async function findUserKubeconfig(
  client: Client,
  { namespace, name }: ClusterPlace,
): Promise<string | undefined> {
  const key = { namespace, name: `${name}-user-kubeconfig` };
  try {
    const { data, metadata } = await client.resource<Secret>(builtInResources.secrets).get(key);
    // It may be that of controllers of a Cluster whose name ends with "-user".
    const isOurs = metadata.labels?.[clusterNameLabel] === name;
    return isOurs && data?.value ? Buffer.from(data.value, "base64").toString("utf8") : undefined;
  } catch (error) {
    if (isNotFound(error) || isForbidden(error)) return undefined;
    throw error;
  }
}

async function readAnyKubeconfig(client: Client, cluster: ClusterPlace): Promise<string> {
  const { namespace, name } = cluster;
  const secrets = client.resource<Secret>(builtInResources.secrets);
  const key = { namespace, name: `${name}-kubeconfig` };
  try {
    const { data } = await secrets.get(key);
    if (data?.value) return Buffer.from(data.value, "base64").toString("utf8");
  } catch (error) {
    if (!isNotFound(error)) throw error;
    throw new KubeconfigError(cluster, await whyMissing(client, cluster), findStatusError(error));
  }
  throw new KubeconfigError(
    cluster,
    `the Secret ${key.name} has no key "value"; delete it, and who made it makes it anew`,
  );
}

/**
 * Tenants may write that Secret, and kubectl runs what a kubeconfig says with the rights of who calls it.
 * Errors: KubeconfigError for one that names programs or files.
 */
export async function refuseLocalPrograms(text: string, cluster: ClusterPlace): Promise<void> {
  try {
    await parseUntrustedConfig(text, { source: `of cluster ${cluster.name}`, env: {} });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const why = `${error.message}; --unchecked prints it all the same, where you trust who may write that Secret`;
    throw new KubeconfigError(cluster, why, error);
  }
}

async function whyMissing(client: Client, { namespace, name }: ClusterPlace): Promise<string> {
  const names = (await listClusters(client, namespace)).map(({ metadata }) => metadata.name);
  if (!names.includes(name)) return whyNoCluster(client, { namespace, name });
  return `its control plane has not written the Secret ${name}-kubeconfig yet; "rookery describe cluster ${name} -n ${namespace}" says how far it is`;
}
