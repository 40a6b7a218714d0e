import type { VSphereCluster, VSphereClusterIdentity } from "@rookery/api";
import { type Client, getOptional, type ResourceClient } from "@rookery/client";
import { isForbidden, type KubeObject, type OwnerReference } from "@rookery/kube";
import { type CredentialSecret, ownersOf } from "../credentials/credential-secret.ts";
import { secretNameOf } from "../credentials/resolve-identity.ts";
import { clusters, identities } from "../resources.ts";

/**
 * The other owner of the Secret of an identity. Anybody who may write the Secret can write an owner reference:
 * it counts where the owner exists and names the Secret in turn.
 */
export async function otherOwner(
  client: Client,
  { metadata: { uid } }: VSphereClusterIdentity,
  secret: CredentialSecret,
): Promise<string | undefined> {
  const { namespace = "", name = "" } = secret.metadata;
  const clusterClient = client.resource<VSphereCluster>(clusters);
  for (const owner of ownersOf(secret, "VSphereCluster")) {
    const cluster = await readOwner(clusterClient, { namespace, owner });
    // An instance with narrow rights may not read clusters here: the owner reference counts.
    const isHidden = cluster === "hidden";
    const { kind, name: named } = (!isHidden && cluster?.spec?.identityRef) || {};
    if (isHidden || (kind === "Secret" && named === name))
      return `the VSphereCluster ${owner.name}`;
  }
  const identityClient = client.resource<VSphereClusterIdentity>(identities);
  for (const owner of ownersOf(secret, "VSphereClusterIdentity")) {
    if (owner.uid === uid) continue;
    const identity = await readOwner(identityClient, { owner });
    if (identity === "hidden" || (identity && secretNameOf(identity) === name)) {
      return `the VSphereClusterIdentity ${owner.name}`;
    }
  }
  return undefined;
}

/** The owner of a reference; undefined where no object has that uid. */
async function readOwner<T extends KubeObject>(
  client: Pick<ResourceClient<T>, "get">,
  { namespace, owner }: { readonly namespace?: string; readonly owner: OwnerReference },
): Promise<T | "hidden" | undefined> {
  try {
    const key = { name: owner.name, ...(namespace && { namespace }) };
    const found = await getOptional(client, key);
    return found?.metadata.uid === owner.uid ? found : undefined;
  } catch (error) {
    if (isForbidden(error)) return "hidden";
    throw error;
  }
}
