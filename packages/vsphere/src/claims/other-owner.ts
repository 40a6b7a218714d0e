import type { VSphereCluster, VSphereClusterIdentity } from "@rookery/api";
import type { Client, ResourceClient } from "@rookery/client";
import { isForbidden, isNotFound, type KubeObject, type OwnerReference } from "@rookery/kube";
import { type CredentialSecret, ownersOf } from "../credentials/credential-secret.ts";
import { secretNameOf } from "../credentials/resolve-identity.ts";
import { clusters, identities } from "../resources.ts";

/**
 * Who uses a Secret as their own beside an identity. An owner reference is a claim that anybody makes
 * who may write the Secret: it counts where the owner is there, and names the Secret itself.
 */
export async function otherOwner(
  client: Client,
  { metadata: { uid } }: VSphereClusterIdentity,
  secret: CredentialSecret,
): Promise<string | undefined> {
  const { namespace = "", name = "" } = secret.metadata;
  const clusterClient = client.resource<VSphereCluster>(clusters);
  for (const owner of ownersOf(secret, "VSphereCluster")) {
    const cluster = await existing(clusterClient, { namespace, owner });
    // An instance whose rights are narrow may not see clusters here, and takes nothing from them.
    const isHidden = cluster === "hidden";
    const { kind, name: named } = (!isHidden && cluster?.spec?.identityRef) || {};
    if (isHidden || (kind === "Secret" && named === name))
      return `the VSphereCluster ${owner.name}`;
  }
  const identityClient = client.resource<VSphereClusterIdentity>(identities);
  for (const owner of ownersOf(secret, "VSphereClusterIdentity")) {
    if (owner.uid === uid) continue;
    const identity = await existing(identityClient, { owner });
    if (identity === "hidden" || (identity && secretNameOf(identity) === name)) {
      return `the VSphereClusterIdentity ${owner.name}`;
    }
  }
  return undefined;
}

/** The owner of a reference; undefined where there is none of that uid. */
async function existing<T extends KubeObject>(
  client: Pick<ResourceClient<T>, "get">,
  { namespace, owner }: { readonly namespace?: string; readonly owner: OwnerReference },
): Promise<T | "hidden" | undefined> {
  try {
    const found = await client.get({ name: owner.name, ...(namespace && { namespace }) });
    return found.metadata.uid === owner.uid ? found : undefined;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    if (isForbidden(error)) return "hidden";
    throw error;
  }
}
