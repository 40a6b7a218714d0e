import { infrastructureGroup } from "@rookery/cluster-api";
import type { KubeObject, OwnerReference } from "@rookery/kube";
import { inUseFinalizer } from "../in-use.ts";
import type { Credentials } from "../vim/session.ts";

/** A Secret, as far as credentials are concerned. */
export interface CredentialSecret extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

/** The credentials in a Secret; undefined where one of its two keys is missing or empty. */
export function credentialsIn({ data = {} }: CredentialSecret): Credentials | undefined {
  const username = decode(data.username);
  const password = decode(data.password);
  return username && password ? { username, password } : undefined;
}

function decode(text: string | undefined): string {
  return Buffer.from(text ?? "", "base64").toString();
}

/** The other VSphereCluster that a Secret belongs to; owners of other kinds do not matter. */
export function otherCluster(
  secret: CredentialSecret,
  clusterUid: string | undefined,
): OwnerReference | undefined {
  return ownersOf(secret, "VSphereCluster").find(({ uid }) => uid !== clusterUid);
}

/** The VSphereClusterIdentity that a Secret belongs to. */
export function owningIdentity(secret: CredentialSecret): OwnerReference | undefined {
  return ownersOf(secret, "VSphereClusterIdentity")[0];
}

/** The owners of a Secret that are of one of our kinds, in whatever version they are named. */
export function ownersOf(
  { metadata }: CredentialSecret,
  kind: "VSphereCluster" | "VSphereClusterIdentity",
): readonly OwnerReference[] {
  const { ownerReferences = [] } = metadata;
  return ownerReferences.filter(
    (owner) => owner.kind === kind && owner.apiVersion.startsWith(`${infrastructureGroup}/`),
  );
}

/** Whether the Secret is kept for a cluster, which it is from the first time that the cluster uses it. */
export function isHeldFor({ metadata }: CredentialSecret, cluster: KubeObject): boolean {
  return metadata.finalizers?.includes(inUseFinalizer(cluster.metadata)) ?? false;
}

/** Whether a cluster or an identity has taken the Secret. */
export function isOwnedBy(secret: CredentialSecret, { metadata }: KubeObject): boolean {
  return secret.metadata.ownerReferences?.some(({ uid }) => uid === metadata.uid) ?? false;
}
