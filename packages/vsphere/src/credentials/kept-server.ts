import type { VSphereCluster, VSphereVM } from "@rookery/api";
import { getCondition } from "@rookery/kube";
import { isSameServer } from "./policies.ts";

type Connected = VSphereCluster | VSphereVM;

/** The account for a server. */
export interface Account {
  /** In the form of `status.connection.as`. */
  readonly as: string;
  /** Whether the cluster held the account before. */
  readonly isHeld: boolean;
}

/** The server of a cluster or of one of its machines. */
export interface ServerRequest {
  readonly server: string;
  /** Whether the server was used with an account before servers had to be listed. */
  readonly wasUsed: (account: Account) => boolean;
}

/** The server and the account of an object. */
export interface Connection {
  readonly as: string;
  readonly use: { readonly server: string; readonly kept?: string };
}

/** The object with its connection in the status. */
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
 * Reads the status only, which tenants cannot write. Since this version the status contains the connection. For an older
 * object its last condition counts, if the spec did not change since then: a success or, after an earlier success, a
 * failure that does not come from the server check.
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
