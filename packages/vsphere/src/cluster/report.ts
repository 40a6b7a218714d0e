import type { VSphereCluster } from "@rookery/api";
import { withReadiness } from "@rookery/cluster-api";
import {
  type Clock,
  type Finding,
  isFalse,
  isTrue,
  statementsOf,
  withConditions,
} from "@rookery/kube";
import { withConnection } from "../credentials/kept-server.ts";
import type { ResolvedIdentity } from "../credentials/resolve-identity.ts";
import type { ServerUse } from "../credentials/server-rules.ts";

/** The cluster that is connected. */
export function provisioned(
  cluster: VSphereCluster,
  { version, identity }: { readonly version: string; readonly identity: ResolvedIdentity },
  clock: Clock,
): VSphereCluster {
  const findings = { ...ready(isTrue("Available")), ServerAllowed: serverFinding(identity.use) };
  const changed = withReadiness(withConnection(cluster, identity), findings, clock);
  const initialization = { provisioned: true };
  return { ...changed, status: { ...changed.status, initialization, vCenterVersion: version } };
}

/** The cluster with the server that it keeps from before, where that is not written yet. */
export function rememberedServer(
  cluster: VSphereCluster,
  identity: ResolvedIdentity,
): VSphereCluster {
  const isWritten = !identity.use.kept || cluster.status?.connection;
  return isWritten ? cluster : withConnection(cluster, identity);
}

/** The cluster that cannot be connected. A cluster that was provisioned once stays so, as Cluster API has it. */
export function failed(cluster: VSphereCluster, finding: Finding, clock: Clock): VSphereCluster {
  const { reason, message } = finding;
  const isRefused = reason === "ServerNotAllowed";
  const refusal = isRefused ? isFalse(reason, message) : undefined;
  const findings = { ...ready(isFalse(reason, message)), ServerAllowed: refusal };
  return withReadiness(cluster, findings, clock);
}

/** The cluster that waits for another object. */
export function waiting(cluster: VSphereCluster, finding: Finding, clock: Clock): VSphereCluster {
  return withConditions(cluster, statementsOf(ready(finding)), clock);
}

function ready(finding: Finding) {
  return { VCenterAvailable: finding, Ready: finding };
}

/** Whether a new cluster could use the server, too. */
function serverFinding({ kept }: ServerUse): Finding {
  return kept ? isFalse("KeptFromBefore", kept) : isTrue("Allowed");
}
