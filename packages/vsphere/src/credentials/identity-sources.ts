import type { VSphereClusterIdentity } from "@rookery/api";
import type { Client } from "@rookery/client";
import { isNotFound, type KubeObject, type ObjectKey } from "@rookery/kube";
import type { ReconcileContext } from "@rookery/runtime";
import { identities, namespaces, secrets } from "../resources.ts";
import type { CredentialSecret } from "./credential-secret.ts";
import { type IdentitySources, type OwnCredentials, secretNameOf } from "./resolve-identity.ts";
import type { CredentialsPlaces } from "./secret-metadata.ts";
import type { ServerRules } from "./server-rules.ts";

export interface IdentitySourceOptions extends CredentialsPlaces {
  readonly managerNamespace?: string;
  readonly own?: OwnCredentials | undefined;
  readonly servers: ServerRules;
}

/** Where one reconcile looks up identities and their Secrets. */
export function identitySources(
  { client, cache }: Pick<ReconcileContext<KubeObject>, "client" | "cache">,
  options: IdentitySourceOptions,
): IdentitySources {
  const { credentialsNamespace, formerCredentialsNamespace: former, own, servers } = options;
  const { managerNamespace = credentialsNamespace } = options;
  const identityClient = client.resource<VSphereClusterIdentity>(identities);
  return {
    getIdentity: (name) => cache.get<VSphereClusterIdentity>(identities, { name }),
    getSecret: (namespace, name) => readSecret(client, { namespace, name }),
    getNamespace: (name) => cache.get(namespaces, { name }),
    credentialsNamespace,
    formerCredentialsNamespace: former,
    guardedNamespaces: [credentialsNamespace, managerNamespace, ...(former ? [former] : [])],
    own,
    servers,
    // A cache may not know of one that was just made.
    identitiesOf: async (secretName) => {
      const { items } = await identityClient.list();
      return items.filter((identity) => secretNameOf(identity) === secretName);
    },
  };
}

/** Reads a Secret from the server: its content is never kept. Undefined where there is none. */
export async function readSecret(
  client: Client,
  key: ObjectKey,
): Promise<CredentialSecret | undefined> {
  try {
    return await client.resource<CredentialSecret>(secrets).get(key);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
