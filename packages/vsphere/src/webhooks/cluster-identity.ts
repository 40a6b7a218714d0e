import {
  isEveryNamespaceAllowed,
  type VSphereCluster,
  type VSphereClusterIdentity,
} from "@rookery/api";
import {
  deepEqual,
  FieldError,
  fieldPath,
  forbiddenError,
  formatObjectKey,
  groupVersionResourceOf,
  objectKeyOf,
  validateLabelSelector,
} from "@rookery/kube";
import { type AdmissionContext, denyInvalid, type Validator } from "@rookery/runtime";
import type { ServerRules } from "../credentials/server-rules.ts";
import { inUseFinalizer, usersOf } from "../in-use.ts";
import { managerName } from "../manager-name.ts";
import { identities } from "../resources.ts";

export interface IdentityWebhookDependencies {
  /** The clusters that name an identity, as far as this instance sees them. */
  readonly clustersNaming: (identity: string) => Promise<readonly VSphereCluster[]>;
  readonly servers: ServerRules;
}

/** The number of users in the message if an identity cannot be deleted. */
const namedUsers = 3;

/** Refuses identities that cannot be used, and the deletion of those that are. */
export function clusterIdentityValidator(
  dependencies: IdentityWebhookDependencies,
): Validator<VSphereClusterIdentity> {
  const check = async (identity: VSphereClusterIdentity, context: AdmissionContext) => {
    refuse(identity);
    for (const warning of await warningsOf(identity, dependencies.servers)) context.warn(warning);
  };
  return {
    create: check,
    update: (identity, before, context) => {
      refuseManagers(identity, before, context);
      return check(identity, context);
    },
    delete: async (identity) => {
      const { name = "" } = identity.metadata;
      const count = usersOf(identity.metadata);
      if (count === 0) return;
      const users = await dependencies.clustersNaming(name);
      const why = `${usersText(identity, users)}; delete them, or let them name another identity`;
      throw forbiddenError(resource, name, why);
    },
  };
}

const resource = {
  group: identities.group,
  resource: groupVersionResourceOf(identities).resource,
};

function refuse({ metadata, spec }: VSphereClusterIdentity): void {
  const problems = [
    ...secretProblems(spec),
    ...validateLabelSelector(
      spec.allowedNamespaces?.selector,
      fieldPath("spec", "allowedNamespaces", "selector"),
    ),
  ];
  denyInvalid(identities, { metadata }, problems);
}

/** Warnings about a spec that is valid, but may be a mistake. */
async function warningsOf(
  { spec }: VSphereClusterIdentity,
  servers: ServerRules,
): Promise<string[]> {
  const everywhere =
    "spec.allowedNamespaces is empty: clusters in every namespace may use this identity; remove the field to allow none";
  return [
    ...(isEveryNamespaceAllowed(spec.allowedNamespaces) ? [everywhere] : []),
    ...(spec.allowedServers ? [] : [await serversWarning(servers)]),
  ];
}

async function serversWarning({ isAnyServerAllowed, listed }: ServerRules): Promise<string> {
  const unset = "spec.allowedServers is not set:";
  if (isAnyServerAllowed) {
    return `${unset} whoever may use this identity can have its password sent to any server, as the manager's flag --identities-any-server says`;
  }
  const servers = await listed();
  if (servers.length > 0) {
    return `${unset} this identity may be used with the servers of the installation alone: ${servers.join(", ")}`;
  }
  return `${unset} no new cluster may use this identity, since the installation lists no server; set it, or start the manager with --vcenter-server`;
}

function secretProblems({ secretRef, secretName }: VSphereClusterIdentity["spec"]): FieldError[] {
  const named = [secretRef, secretName].filter((one) => one !== undefined);
  if (named.length === 1) return [];
  const detail = "exactly one of secretRef and secretName must be set";
  return [FieldError.invalid(fieldPath("spec", "secretRef"), secretRef?.name ?? "", detail)];
}

/** "5 VSphereClusters use it: a/one, a/two, b/one and 2 more". A cluster without a finalizer does not use it. */
function usersText({ metadata }: VSphereClusterIdentity, named: readonly VSphereCluster[]): string {
  const count = usersOf(metadata);
  const names = named
    .filter((cluster) => metadata.finalizers?.includes(inUseFinalizer(cluster.metadata)))
    .map((cluster) => formatObjectKey(objectKeyOf(cluster)))
    .sort()
    .slice(0, namedUsers);
  const verb = count === 1 ? "1 VSphereCluster uses it" : `${count} VSphereClusters use it`;
  if (names.length === 0) return verb;
  const more = count > names.length ? ` and ${count - names.length} more` : "";
  return `${verb}: ${names.join(", ")}${more}`;
}

/**
 * Rejects changes of a manager beside finalizers and status. The account of each instance may patch identities, to hold
 * them. Only administrators may change the rest, or one tenant's instance could open another tenant's identity to itself.
 */
export function refuseManagers(
  identity: VSphereClusterIdentity,
  before: VSphereClusterIdentity,
  { request }: AdmissionContext,
): void {
  if (!isManager(request.userInfo?.username)) return;
  if (deepEqual(declared(identity), declared(before))) return;
  const why = "a manager may change its finalizers and its status, and nothing else of it";
  throw forbiddenError(resource, identity.metadata.name ?? "", why);
}

/** The account of an instance, in whichever namespace it is. */
function isManager(username = ""): boolean {
  const [system, kind, namespace, name] = username.split(":");
  return system === "system" && kind === "serviceaccount" && !!namespace && name === managerName;
}

/** The fields that administrators write, without those of managers and API servers. */
function declared({ metadata, spec }: VSphereClusterIdentity): object {
  const { labels = {}, annotations = {}, ownerReferences = [] } = metadata;
  return { labels, annotations, ownerReferences, spec };
}
