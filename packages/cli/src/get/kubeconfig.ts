import type { Client } from "@rookery/client";
import { builtInResources, findStatusError, isNotFound, type KubeObject } from "@rookery/kube";
import { KubeconfigError } from "../errors.ts";
import { listClusters } from "./clusters.ts";

interface ClusterPlace {
  readonly namespace: string;
  readonly name: string;
}

type Secret = KubeObject & { readonly data?: Readonly<Record<string, string>> };

/** From the Secret that the control plane provider writes. Errors: KubeconfigError, which says why there is none. */
export async function readKubeconfig(client: Client, cluster: ClusterPlace): Promise<string> {
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

async function whyMissing(client: Client, { namespace, name }: ClusterPlace): Promise<string> {
  const clusters = await listClusters(client, namespace);
  if (!clusters.some(({ metadata }) => metadata.name === name)) {
    return 'there is no such cluster; "rookery get clusters -A" lists those that there are';
  }
  return `its control plane has not written the Secret ${name}-kubeconfig yet; "rookery describe cluster ${name} -n ${namespace}" says how far it is`;
}
