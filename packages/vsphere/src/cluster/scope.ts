import type { VSphereCluster } from "@rookery/api";
import {
  clusterApiOwner,
  clusterNameLabel,
  type OwnerCluster,
  readOwner,
} from "@rookery/cluster-api";
import { type Clock, labelSelectorFromSet } from "@rookery/kube";
import type { LifecycleScope, ReconcileContext } from "@rookery/runtime";
import { identitySources } from "../credentials/identity-sources.ts";
import type { IdentitySources } from "../credentials/resolve-identity.ts";
import type { VSphereParts } from "../parts.ts";
import { virtualMachines } from "../resources.ts";
import type { FailureLog } from "../sessions/failure-log.ts";
import type { ScopedSessions } from "../sessions/session-manager.ts";
import { type ClusterClaims, clusterClaims } from "./claims.ts";

/** What one reconcile of a VSphereCluster needs. */
export interface ClusterScope extends LifecycleScope<VSphereCluster>, ClusterClaims {
  /** The Cluster that owns it; undefined where there is none yet. */
  readonly getOwner: (cluster: VSphereCluster) => Promise<OwnerCluster | undefined>;
  readonly identitySources: IdentitySources;
  /** How many virtual machines of the cluster there still are. */
  readonly countMachines: (cluster: VSphereCluster) => Promise<number>;
  readonly sessions: ScopedSessions;
  readonly failures: Pick<FailureLog, "failed" | "forget">;
  /** PEM of authorities that sign the certificates of vCenters. */
  readonly ca: string | undefined;
  readonly clock: Clock;
}

export function clusterScope(
  context: ReconcileContext<VSphereCluster>,
  parts: VSphereParts,
): ClusterScope {
  const { request, signal, cache, get, commit } = context;
  const { ownerClusters, sessions, failures, ca, clock } = parts;
  return {
    get,
    commit,
    getOwner: (cluster) =>
      readOwner(cluster, "Cluster", (key) => cache.get<OwnerCluster>(ownerClusters, key)),
    identitySources: identitySources(context, parts),
    ...clusterClaims(context, parts),
    countMachines: async ({ metadata }) => {
      const { namespace = "", name = "" } = metadata;
      const cluster = clusterApiOwner(metadata, "Cluster")?.name ?? name;
      const labels = labelSelectorFromSet({ [clusterNameLabel]: cluster });
      return (await cache.list(virtualMachines, { namespace, labels })).length;
    },
    sessions: sessions.within({ tenant: request.namespace ?? "", signal }),
    failures,
    ca,
    clock,
  };
}
