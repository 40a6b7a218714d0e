import type { VSphereClusterIdentity } from "@rookery/api";
import { type Client, getOptional } from "@rookery/client";
import type { KubeObject, ObjectKey } from "@rookery/kube";
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
    // The cache may lack an identity that was just made.
    identitiesOf: async (secretName) => {
      const { items } = await identityClient.list();
      return items.filter((identity) => secretNameOf(identity) === secretName);
    },
  };
}

/** Reads a Secret from the server: its content is never cached. Undefined where there is none. */
export function readSecret(client: Client, key: ObjectKey): Promise<CredentialSecret | undefined> {
  return getOptional(client.resource<CredentialSecret>(secrets), key);
}
