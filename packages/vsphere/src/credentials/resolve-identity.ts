import { isNamespaceAllowed, type VSphereCluster, type VSphereClusterIdentity } from "@rookery/api";
import { type KubeObject, validateDns1123Subdomain } from "@rookery/kube";
import { IdentityError } from "../errors.ts";
import type { Credentials } from "../vim/session.ts";
import { type CredentialSecret, credentialsIn, otherCluster } from "./credential-secret.ts";
import { isServerAllowed } from "./policies.ts";
import { isReadyFor } from "./verdicts.ts";

/** What the controller itself was given. */
export interface OwnCredentials {
  /** As they are now: they are rotated where they are kept. Undefined where there are none. */
  read(): Promise<OwnAccount | undefined>;
}

/** An account, and the servers that it is for. */
export interface OwnAccount extends Credentials {
  readonly servers: readonly string[];
}

/** Where identities are looked up. Undefined is "there is none"; anything else that fails is thrown. */
export interface IdentitySources {
  readonly getIdentity: (name: string) => Promise<VSphereClusterIdentity | undefined>;
  readonly getSecret: (namespace: string, name: string) => Promise<CredentialSecret | undefined>;
  readonly getNamespace: (name: string) => Promise<KubeObject | undefined>;
  /** The namespace that Secrets of identities are in: the instance's own. */
  readonly credentialsNamespace: string;
  /** Where all instances looked before each had its own. */
  readonly formerCredentialsNamespace?: string | undefined;
  readonly own: OwnCredentials | undefined;
}

/** As whom a cluster is made. */
export interface ResolvedIdentity {
  readonly credentials: Credentials;
  /** The Secret that belongs to the cluster alone. */
  readonly secret?: CredentialSecret;
  /** The identity that is in use by the cluster. */
  readonly identity?: VSphereClusterIdentity;
}

/**
 * Finds the credentials of a cluster. There is no way from one kind of identity to another: what a
 * cluster names is used, or nothing is.
 * Errors: IdentityError, with the reason for the condition.
 */
export function resolveIdentity(
  cluster: VSphereCluster,
  sources: IdentitySources,
): Promise<ResolvedIdentity> {
  const kind = cluster.spec?.identityRef?.kind;
  switch (kind) {
    case undefined:
      return fromController(cluster, sources);
    case "Secret":
      return fromSecret(cluster, sources);
    case "VSphereClusterIdentity":
      return fromClusterIdentity(cluster, sources);
  }
}

async function fromController(
  cluster: VSphereCluster,
  sources: IdentitySources,
): Promise<ResolvedIdentity> {
  const server = serverOf(cluster);
  const own = await sources.own?.read();
  if (!own) {
    const way = "set spec.identityRef, or give the controller credentials";
    throw new IdentityError("SecretNotAvailable", `the controller has no credentials; ${way}`);
  }
  if (!isServerAllowed(own.servers, server)) {
    const why = `the controller's own credentials are not for ${server}; set spec.identityRef`;
    throw new IdentityError("ServerNotAllowed", why);
  }
  const { username, password } = own;
  return { credentials: { username, password } };
}

async function fromSecret(
  cluster: VSphereCluster,
  { getSecret }: IdentitySources,
): Promise<ResolvedIdentity> {
  const { namespace = "", uid } = cluster.metadata;
  const name = nameOf(cluster);
  // What cannot be the name of one is never asked for: it could be the path of another.
  const isName = validateDns1123Subdomain(name).length === 0;
  const secret = isName ? await getSecret(namespace, name) : undefined;
  const credentials = credentialsOf(secret, `${namespace}/${name}`);
  const other = secret && otherCluster(secret, uid);
  if (other) {
    const why = `the Secret ${namespace}/${name} belongs to the VSphereCluster ${other.name}; give each cluster a Secret of its own, or share a VSphereClusterIdentity`;
    throw new IdentityError("SecretAlreadyInUse", why);
  }
  return { credentials, ...(secret && { secret }) };
}

async function fromClusterIdentity(
  cluster: VSphereCluster,
  sources: IdentitySources,
): Promise<ResolvedIdentity> {
  const name = nameOf(cluster);
  const identity = await sources.getIdentity(name);
  if (!identity || identity.metadata.deletionTimestamp) throw identityNotFound(name);
  await checkAllowed(cluster, identity, sources);
  if (!isReadyFor(identity, sources.credentialsNamespace)) {
    const why = `the VSphereClusterIdentity ${name} is not ready; its conditions say why`;
    throw new IdentityError("IdentityNotReady", why);
  }
  const secretName = secretNameOf(identity);
  const secret = await identitySecret(secretName, sources);
  const where = `${secret?.metadata.namespace ?? sources.credentialsNamespace}/${secretName}`;
  return { credentials: credentialsOf(secret, where), identity };
}

/** Throws an IdentityError where the identity is not for the cluster's namespace, or its server. */
export async function checkAllowed(
  cluster: VSphereCluster,
  { metadata, spec }: VSphereClusterIdentity,
  { getNamespace }: Pick<IdentitySources, "getNamespace">,
): Promise<void> {
  const { namespace: name = "" } = cluster.metadata;
  const namespace = await getNamespace(name);
  if (!namespace || !isNamespaceAllowed(spec.allowedNamespaces, namespace.metadata)) {
    const why = `the VSphereClusterIdentity ${metadata.name} may not be used in the namespace ${name}; its spec.allowedNamespaces would have to allow it`;
    throw new IdentityError("NamespaceNotAllowed", why);
  }
  const server = serverOf(cluster);
  if (!isServerAllowed(spec.allowedServers, server)) {
    const why = `the VSphereClusterIdentity ${metadata.name} may not be used on ${server}; its spec.allowedServers would have to name it`;
    throw new IdentityError("ServerNotAllowed", why);
  }
}

/** Also of one that is being deleted: nobody begins to use it. */
export function identityNotFound(name: string | undefined): IdentityError {
  return new IdentityError("IdentityNotFound", `there is no VSphereClusterIdentity ${name}`);
}

/** The instance's own Secret; until there is one, that which all instances had before. */
export async function identitySecret(
  name: string,
  {
    getSecret,
    credentialsNamespace,
    formerCredentialsNamespace: former,
  }: Pick<IdentitySources, "getSecret" | "credentialsNamespace" | "formerCredentialsNamespace">,
): Promise<CredentialSecret | undefined> {
  const own = await getSecret(credentialsNamespace, name);
  return own ?? (former === undefined ? undefined : await getSecret(former, name));
}

/** The Secret of an identity, however it is named. */
export function secretNameOf({ spec }: VSphereClusterIdentity): string {
  return spec.secretRef?.name ?? spec.secretName ?? "";
}

function credentialsOf(secret: CredentialSecret | undefined, where: string): Credentials {
  if (!secret) throw new IdentityError("SecretNotAvailable", `there is no Secret ${where}`);
  const credentials = credentialsIn(secret);
  if (credentials) return credentials;
  const why = `the Secret ${where} must have the keys username and password, both not empty`;
  throw new IdentityError("SecretNotAvailable", why);
}

const serverOf = ({ spec }: VSphereCluster): string => spec?.server ?? "";
const nameOf = ({ spec }: VSphereCluster): string => spec?.identityRef?.name ?? "";
