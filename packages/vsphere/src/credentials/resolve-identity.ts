import { isNamespaceAllowed, type VSphereCluster, type VSphereClusterIdentity } from "@rookery/api";
import { clusterApiOwner, clusterNameLabel } from "@rookery/cluster-api";
import { type KubeObject, validateDns1123Subdomain } from "@rookery/kube";
import { isBeingDeleted } from "@rookery/runtime";
import { IdentityError } from "../errors.ts";
import { inUseFinalizer } from "../in-use.ts";
import type { Credentials } from "../vim/session.ts";
import {
  type CredentialSecret,
  credentialsIn,
  isOwnedBy,
  otherCluster,
  owningIdentity,
} from "./credential-secret.ts";
import { type Account, clusterServer, type ServerRequest } from "./kept-server.ts";
import { isServerListed } from "./policies.ts";
import {
  isInstalled,
  listedServer,
  type ServerRules,
  type ServerUse,
  serverNotAllowed,
  tenantServer,
  waysToOpen,
} from "./server-rules.ts";
import { isReadyFor } from "./verdicts.ts";

/** The credentials of the controller itself. */
export interface OwnCredentials {
  /** The present credentials, which may be rotated at any time; undefined if there are none. */
  read(): Promise<OwnAccount | undefined>;
  /** The servers that are listed beside them, also without an account. */
  servers(): Promise<readonly string[]>;
}

/** An account, and the servers that it is for. */
export interface OwnAccount extends Credentials {
  readonly servers: readonly string[];
}

/** Reads identities, Secrets and namespaces; undefined for a missing object. */
export interface IdentitySources {
  readonly getIdentity: (name: string) => Promise<VSphereClusterIdentity | undefined>;
  readonly getSecret: (namespace: string, name: string) => Promise<CredentialSecret | undefined>;
  readonly getNamespace: (name: string) => Promise<KubeObject | undefined>;
  /** The namespace that Secrets of identities are in: the instance's own. */
  readonly credentialsNamespace: string;
  /** The namespace that all instances shared before each had its own. */
  readonly formerCredentialsNamespace?: string | undefined;
  /** The namespaces of credentials and of the manager: Secrets there are those of administrators. */
  readonly guardedNamespaces: readonly string[];
  readonly own: OwnCredentials | undefined;
  readonly servers: ServerRules;
  /** The identities that name a Secret in the namespace of credentials, read from the server. */
  readonly identitiesOf: (secretName: string) => Promise<readonly VSphereClusterIdentity[]>;
}

/** The account of a cluster. */
export interface ResolvedIdentity {
  readonly credentials: Credentials;
  /** The rules for the server. */
  readonly use: ServerUse;
  /** The owner of the account, in the form of `status.connection.as`. */
  readonly as: string;
  /** The Secret that belongs to the cluster alone. */
  readonly secret?: CredentialSecret;
  /** The identity that is in use by the cluster. */
  readonly identity?: VSphereClusterIdentity;
  /** The Secret of that identity, which others use as well. */
  readonly identitySecret?: CredentialSecret;
}

/**
 * Finds the credentials of a cluster, for its server or that of one of its machines. This function alone decides
 * where a password may be sent. It never falls back from one kind of identity to another.
 * Errors: IdentityError, with the reason for the condition.
 */
export function resolveIdentity(
  cluster: VSphereCluster,
  sources: IdentitySources,
  request: ServerRequest = clusterServer(cluster),
): Promise<ResolvedIdentity> {
  const kind = cluster.spec?.identityRef?.kind;
  switch (kind) {
    case undefined:
      return fromController(request, sources);
    case "Secret":
      return fromSecret(cluster, sources, request);
    case "VSphereClusterIdentity":
      return fromClusterIdentity(cluster, sources, request);
  }
}

async function fromController(
  { server }: ServerRequest,
  sources: IdentitySources,
): Promise<ResolvedIdentity> {
  const own = await sources.own?.read();
  if (!own) {
    const way = "set spec.identityRef, or give the controller credentials";
    throw new IdentityError("SecretNotAvailable", `the controller has no credentials; ${way}`);
  }
  if (!isServerListed(own.servers, server)) {
    throw serverNotAllowed(
      `the controller's own credentials are not for ${server}; set spec.identityRef`,
    );
  }
  const { username, password } = own;
  return { credentials: { username, password }, use: listedServer(server), as: "Controller" };
}

async function fromSecret(
  cluster: VSphereCluster,
  sources: IdentitySources,
  request: ServerRequest,
): Promise<ResolvedIdentity> {
  const { namespace = "", uid } = cluster.metadata;
  const name = nameOf(cluster);
  // A text that is no valid name is not requested: it could be the path of another object.
  const isName = validateDns1123Subdomain(name).length === 0;
  const secret = isName ? await sources.getSecret(namespace, name) : undefined;
  const credentials = credentialsOf(secret, `${namespace}/${name}`);
  const other = secret && otherCluster(secret, uid);
  if (other) {
    const why = `the Secret ${namespace}/${name} belongs to the VSphereCluster ${other.name}; give each cluster a Secret of its own, or share a VSphereClusterIdentity`;
    throw new IdentityError("SecretAlreadyInUse", why);
  }
  if (secret) {
    await refuseSecretOfIdentity(cluster, secret, sources);
    await refuseSecretOfManager(cluster, { secret, credentials }, sources);
  }
  const as = `Secret/${name}`;
  const use = await useOfSecret(request, as, sources.servers);
  return { credentials, use, as, ...(secret && { secret }) };
}

/**
 * Throws where the Secret belongs to an identity, whose rules the cluster would evade. An owner counts in any
 * namespace. In the manager's namespaces an identity that does not own the Secret yet counts too, unless the cluster
 * owns the Secret: then the identity does not get it.
 * Errors: IdentityError.
 */
async function refuseSecretOfIdentity(
  cluster: VSphereCluster,
  secret: CredentialSecret,
  { guardedNamespaces, identitiesOf }: IdentitySources,
): Promise<void> {
  const { namespace = "" } = cluster.metadata;
  const name = nameOf(cluster);
  const isFree = guardedNamespaces.includes(namespace) && !isOwnedBy(secret, cluster);
  const [naming] = isFree ? await identitiesOf(name) : [];
  const identity = owningIdentity(secret)?.name ?? naming?.metadata.name;
  if (identity === undefined) return;
  const why = `the Secret ${namespace}/${name} belongs to the VSphereClusterIdentity ${identity}; name the identity in spec.identityRef, or a Secret that belongs to the cluster alone`;
  throw new IdentityError("SecretAlreadyInUse", why);
}

/**
 * The manager's namespaces have Secrets of administrators, with its own account among them, and the writer of a
 * cluster there may not be allowed to read them: a label of the Secret has to name the cluster. A Secret that a
 * cluster owns stays allowed, unless it has the manager's own account.
 * Errors: IdentityError.
 */
async function refuseSecretOfManager(
  cluster: VSphereCluster,
  { secret, credentials }: { readonly secret: CredentialSecret; readonly credentials: Credentials },
  { guardedNamespaces, own }: IdentitySources,
): Promise<void> {
  const { namespace = "", name: clusterName = "" } = cluster.metadata;
  if (!guardedNamespaces.includes(namespace)) return;
  const owner = clusterApiOwner(cluster.metadata, "Cluster")?.name;
  const label = secret.metadata.labels?.[clusterNameLabel];
  if (label !== undefined && [clusterName, owner].includes(label)) return;
  const account = await own?.read();
  const isOwnAccount =
    account?.username === credentials.username && account.password === credentials.password;
  if (isOwnedBy(secret, cluster) && !isOwnAccount) return;
  const why = `the Secret ${namespace}/${nameOf(cluster)} is beside the manager, where a label has to say for which cluster it is: ${clusterNameLabel}=${owner ?? clusterName}`;
  throw new IdentityError("SecretNotAllowed", why);
}

/** The writer of a Secret chooses its server, but not every address of the network. */
async function useOfSecret(
  { server, wasUsed }: ServerRequest,
  as: string,
  rules: ServerRules,
): Promise<ServerUse> {
  if (await isInstalled(server, rules)) return listedServer(server);
  try {
    return tenantServer(server, rules);
  } catch (error) {
    if (!(error instanceof IdentityError) || !wasUsed({ as, isHeld: true })) throw error;
    const kept = `the cluster keeps ${server}, which it used before such servers were closed; for new clusters ${waysToOpen(server)}`;
    return { server, isListed: false, kept };
  }
}

async function fromClusterIdentity(
  cluster: VSphereCluster,
  sources: IdentitySources,
  request: ServerRequest,
): Promise<ResolvedIdentity> {
  const name = nameOf(cluster);
  const identity = await sources.getIdentity(name);
  if (!identity) throw identityNotFound(name);
  // An identity that is being deleted waits for its clusters, whose machines cannot be deleted without it.
  const isLeaving = isBeingDeleted(identity);
  const { as, isHeld } = accountOf(cluster, identity);
  if (isLeaving && !isHeld) throw identityNotFound(name);
  const use = await checkAllowed(cluster, identity, { ...sources, request });
  if (!isLeaving && !isReadyFor(identity, sources.credentialsNamespace)) {
    const why = `the VSphereClusterIdentity ${name} is not ready; its conditions say why`;
    throw new IdentityError("IdentityNotReady", why);
  }
  const secretName = secretNameOf(identity);
  const secret = await identitySecret(secretName, sources);
  const where = `${secret?.metadata.namespace ?? sources.credentialsNamespace}/${secretName}`;
  const credentials = credentialsOf(secret, where);
  // A Secret that was created again, or that the identity names only now, may be another's.
  if (secret && !isOwnedBy(secret, identity)) {
    const why = `the Secret ${where} does not belong to the VSphereClusterIdentity ${name} yet; its conditions say why`;
    throw new IdentityError("IdentityNotReady", why);
  }
  return { credentials, use, as, identity, ...(secret && { identitySecret: secret }) };
}

/**
 * How the identity may be used for the cluster's namespace and server.
 * Errors: IdentityError, where it may not be used.
 */
export async function checkAllowed(
  cluster: VSphereCluster,
  identity: VSphereClusterIdentity,
  sources: Pick<IdentitySources, "getNamespace" | "servers"> & {
    readonly request?: ServerRequest;
  },
): Promise<ServerUse> {
  const { namespace: name = "" } = cluster.metadata;
  const { metadata, spec } = identity;
  const namespace = await sources.getNamespace(name);
  if (!namespace || !isNamespaceAllowed(spec.allowedNamespaces, namespace.metadata)) {
    const why = `the VSphereClusterIdentity ${metadata.name} may not be used in the namespace ${name}; its spec.allowedNamespaces would have to allow it`;
    throw new IdentityError("NamespaceNotAllowed", why);
  }
  const { request = clusterServer(cluster), servers } = sources;
  const { server } = request;
  if (spec.allowedServers) {
    if (isServerListed(spec.allowedServers, server)) return listedServer(server);
    throw serverNotAllowed(
      `the VSphereClusterIdentity ${metadata.name} may not be used on ${server}; its spec.allowedServers would have to name it`,
    );
  }
  if (server && (await isInstalled(server, servers))) return listedServer(server);
  if (server && servers.isAnyServerAllowed) return { server, isListed: false };
  const why = `the VSphereClusterIdentity ${metadata.name} has no spec.allowedServers, and the installation does not list ${server || "a server without a name"}`;
  const ways = `start the manager with --vcenter-server=${server}, or set spec.allowedServers of the identity`;
  if (!request.wasUsed(accountOf(cluster, identity))) throw serverNotAllowed(`${why}; ${ways}`);
  const kept = `${why}; the cluster keeps it, since it used it before servers had to be listed; ${ways}`;
  return { server, isListed: true, kept };
}

function accountOf(cluster: VSphereCluster, { metadata }: VSphereClusterIdentity): Account {
  const isHeld = metadata.finalizers?.includes(inUseFinalizer(cluster.metadata)) ?? false;
  return { as: `VSphereClusterIdentity/${metadata.name}/${metadata.uid}`, isHeld };
}

/** The identity that a cluster was last connected with, which may be gone; undefined where it was none. */
export function connectedIdentity({ status }: VSphereCluster): string | undefined {
  const [kind, name] = status?.connection?.as.split("/") ?? [];
  return kind === "VSphereClusterIdentity" ? name : undefined;
}

/** The error also for an identity that is being deleted: no cluster starts to use it. */
export function identityNotFound(name: string | undefined): IdentityError {
  return new IdentityError("IdentityNotFound", `there is no VSphereClusterIdentity ${name}`);
}

/** The instance's own Secret; until it exists, the Secret that all instances shared before. */
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

/** The name of the Secret of an identity, from either field. */
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

const nameOf = ({ spec }: VSphereCluster): string => spec?.identityRef?.name ?? "";
