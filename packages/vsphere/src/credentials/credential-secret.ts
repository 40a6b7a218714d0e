import type { KubeObject, OwnerReference } from "@rookery/kube";
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
  { metadata }: CredentialSecret,
  clusterUid: string | undefined,
): OwnerReference | undefined {
  return metadata.ownerReferences?.find(({ apiVersion, kind, uid }) => {
    const isCluster =
      kind === "VSphereCluster" && apiVersion.startsWith("infrastructure.cluster.x-k8s.io/");
    return isCluster && uid !== clusterUid;
  });
}
