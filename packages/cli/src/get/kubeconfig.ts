import { type Client, ConfigError, parseUntrustedConfig } from "@rookery/client";
import { clusterNameLabel } from "@rookery/cluster-api";
import { builtInResources, findStatusError, isForbidden, isNotFound } from "@rookery/kube";
import { KubeconfigError } from "../errors.ts";
import { type NamespacedKey, type Secret, secretText } from "../objects.ts";
import { listClusters, whyNoCluster } from "./clusters.ts";

/**
 * The kubeconfig for people if the control plane provider writes one, else that of controllers.
 * Throws KubeconfigError.
 */
export async function readKubeconfig(client: Client, cluster: NamespacedKey): Promise<string> {
  return (await findUserKubeconfig(client, cluster)) ?? (await readAnyKubeconfig(client, cluster));
}

/** Undefined for other kinds of control planes, and for a user who may not read this Secret. */
async function findUserKubeconfig(
  client: Client,
  { namespace, name }: NamespacedKey,
): Promise<string | undefined> {
  const key = { namespace, name: `${name}-user-kubeconfig` };
  try {
    const secret = await client.resource<Secret>(builtInResources.secrets).get(key);
    // A Cluster whose name ends with "-user" has a Secret of this name for its controllers.
    const isOurs = secret.metadata.labels?.[clusterNameLabel] === name;
    return isOurs ? secretText(secret, "value") || undefined : undefined;
  } catch (error) {
    if (isNotFound(error) || isForbidden(error)) return undefined;
    throw error;
  }
}

async function readAnyKubeconfig(client: Client, cluster: NamespacedKey): Promise<string> {
  const { namespace, name } = cluster;
  const secrets = client.resource<Secret>(builtInResources.secrets);
  const key = { namespace, name: `${name}-kubeconfig` };
  try {
    const kubeconfig = secretText(await secrets.get(key), "value");
    if (kubeconfig) return kubeconfig;
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
 * Tenants may write that Secret, and kubectl runs the programs of a kubeconfig with the user's rights.
 * Throws KubeconfigError for one that names programs or files.
 */
export async function rejectLocalPrograms(text: string, cluster: NamespacedKey): Promise<void> {
  try {
    await parseUntrustedConfig(text, { source: `of cluster ${cluster.name}`, env: {} });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const why = `${error.message}; --unchecked prints it all the same, where you trust who may write that Secret`;
    throw new KubeconfigError(cluster, why, error);
  }
}

async function whyMissing(client: Client, { namespace, name }: NamespacedKey): Promise<string> {
  const names = (await listClusters(client, namespace)).map(({ metadata }) => metadata.name);
  if (!names.includes(name)) return whyNoCluster(client, { namespace, name });
  return `its control plane has not written the Secret ${name}-kubeconfig yet; "rookery describe cluster ${name} -n ${namespace}" says how far it is`;
}
