import type { VSphereCluster, VSphereVM } from "@rookery/api";
import { getCondition } from "@rookery/kube";
import { isSameServer } from "./policies.ts";

type Connected = VSphereCluster | VSphereVM;

/** The account that a server would be used with. */
export interface Account {
  /** As `status.connection.as` has it. */
  readonly as: string;
  /** Whether the account was held for the cluster before. */
  readonly isHeld: boolean;
}

/** A server that a cluster, or one of its machines, wants to use. */
export interface ServerRequest {
  readonly server: string;
  /** Whether the server was used with an account before servers had to be listed. */
  readonly wasUsed: (account: Account) => boolean;
}

/** The server and the account that an object is connected with. */
export interface Connection {
  readonly as: string;
  readonly use: { readonly server: string; readonly kept?: string };
}

/** The object with what it is connected with in its status. */
export function withConnection<T extends Connected>(object: T, { as, use }: Connection): T {
  const { server, kept } = use;
  const connection = { server, as, ...(kept !== undefined && { kept: true }) };
  return { ...object, status: { ...object.status, connection } };
}

/** Whether an object was last connected with this server and account. */
export function isConnectedWith({ status }: Connected, { as, use }: Connection): boolean {
  const { connection } = status ?? {};
  const isKept = connection?.kept === (use.kept === undefined ? undefined : true);
  return isKept && connection?.as === as && connection.server === use.server;
}

/** The server of a cluster. */
export function clusterServer(cluster: VSphereCluster): ServerRequest {
  const server = cluster.spec?.server ?? "";
  return { server, wasUsed: (account) => wasUsed(cluster, server, account) };
}

/** The server of a machine: that of its cluster, unless it names one. */
export function machineServer(vm: VSphereVM, cluster: VSphereCluster): ServerRequest {
  const { server } = vm.spec;
  const ofCluster = clusterServer(cluster);
  if (!server || isSameServer(server, ofCluster.server)) return ofCluster;
  const isAccountOfCluster = ({ as }: Account) =>
    cluster.status?.connection ? cluster.status.connection.as === as : isConnected(cluster);
  return {
    server,
    wasUsed: (account) => isAccountOfCluster(account) && wasUsed(vm, server, account),
  };
}

/** Reasons for which a cluster is not connected although its account may be used with its server. */
const afterServerCheck = new Set([
  "IdentityNotReady",
  "SecretNotAvailable",
  "InvalidCredentials",
  "VCenterUnreachable",
  "ThumbprintMismatch",
]);

/**
 * Only the status is asked, which tenants do not write. An object that this version has connected says
 * with what. Of one from before, the last verdict counts where the spec is still what it was then: a
 * success, or, of a cluster that had one, a failure that does not come from the server check.
 */
function wasUsed(object: Connected, server: string, { as, isHeld }: Account): boolean {
  const { connection } = object.status ?? {};
  if (!connection) return isHeld && isConnected(object);
  return (
    connection.kept === true && connection.as === as && isSameServer(connection.server, server)
  );
}

function isConnected(object: Connected): boolean {
  const { kind, metadata, status } = object;
  const type = kind === "VSphereVM" ? "Ready" : "VCenterAvailable";
  const condition = getCondition(status?.conditions, type);
  if (condition?.observedGeneration === undefined) return false;
  if (condition.observedGeneration !== metadata.generation) return false;
  return (
    condition.status === "True" || (hadSuccess(object) && afterServerCheck.has(condition.reason))
  );
}

function hadSuccess({ status }: Connected): boolean {
  return (
    status !== undefined &&
    "initialization" in status &&
    status.initialization?.provisioned === true
  );
}
