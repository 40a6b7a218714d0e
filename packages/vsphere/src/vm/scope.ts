import type { VSphereCluster, VSphereVM } from "@rookery/api";
import {
  clusterApiOwner,
  clusterNameLabel,
  type OwnerCluster,
  readOwner,
} from "@rookery/cluster-api";
import { type Clock, keyBeside } from "@rookery/kube";
import type { LifecycleScope, ReconcileContext } from "@rookery/runtime";
import { identitySources, readSecret } from "../credentials/identity-sources.ts";
import type { IdentitySources } from "../credentials/resolve-identity.ts";
import type { VSphereParts } from "../parts.ts";
import { clusters } from "../resources.ts";
import type { FailureLog } from "../sessions/failure-log.ts";
import type { Session } from "../sessions/session.ts";
import type { ScopedSessions } from "../sessions/session-manager.ts";
import type { ChangeWatch } from "./change-watch.ts";

/** What one reconcile of a VSphereVM needs. */
export interface VmScope extends LifecycleScope<VSphereVM> {
  /** The VSphereCluster of the Cluster that the machine's label names. */
  readonly getCluster: (vm: VSphereVM) => Promise<VSphereCluster | undefined>;
  /** The Cluster that owns this VSphereCluster. */
  readonly getOwnerCluster: (vm: VSphereVM) => Promise<OwnerCluster | undefined>;
  /** Undefined as long as the Secret or its value does not exist. */
  readonly getBootstrapData: (vm: VSphereVM) => Promise<Uint8Array | undefined>;
  readonly identitySources: IdentitySources;
  readonly sessions: ScopedSessions;
  readonly failures: Pick<FailureLog, "failed" | "forget">;
  readonly changes: Pick<ChangeWatch, "await">;
  /** Whether a virtual machine that nothing shows to be the namespace's is adopted all the same. */
  readonly adoptsAny: boolean;
  /** The uids of objects on whose virtual machines this process wrote the namespace. */
  readonly marked: Set<string>;
  readonly ca: string | undefined;
  readonly clock: Clock;
}

/** A scope with a session on the vCenter of the machine. */
export interface ConnectedScope extends VmScope {
  readonly session: Session;
}

export interface VmParts extends VSphereParts {
  /** Whether VSphereVMs may name virtual machines of no namespace by their UUID. */
  readonly adoptVirtualMachines?: boolean;
}

/** What all reconciles of the controller share. */
type Shared = VmParts & Pick<VmScope, "changes" | "marked">;

export function vmScope(context: ReconcileContext<VSphereVM>, parts: Shared): VmScope {
  const { request, signal, client, get, commit } = context;
  const { sessions, failures, changes, marked, ca, clock } = parts;
  return {
    get,
    commit,
    ...clusterReads(context, parts),
    getBootstrapData: async (vm) => {
      const { bootstrapRef } = vm.spec;
      if (!bootstrapRef) return undefined;
      const secret = await readSecret(client, keyBeside(vm, bootstrapRef.name));
      const data = secret?.data?.value;
      return data === undefined ? undefined : Buffer.from(data, "base64");
    },
    identitySources: identitySources(context, parts),
    sessions: sessions.within({ tenant: request.namespace ?? "", signal }),
    failures,
    changes,
    adoptsAny: parts.adoptVirtualMachines ?? false,
    marked,
    ca,
    clock,
  };
}

function clusterReads(
  { cache }: ReconcileContext<VSphereVM>,
  { ownerClusters }: Pick<VSphereParts, "ownerClusters">,
): Pick<VmScope, "getCluster" | "getOwnerCluster"> {
  const getCluster: VmScope["getCluster"] = async ({ metadata }) => {
    const name = metadata.labels?.[clusterNameLabel];
    if (!name) return undefined;
    const query = { ...(metadata.namespace && { namespace: metadata.namespace }) };
    const all = await cache.list<VSphereCluster>(clusters, query);
    return all.find((cluster) => clusterApiOwner(cluster.metadata, "Cluster")?.name === name);
  };
  return {
    getCluster,
    getOwnerCluster: async (vm) => {
      const cluster = await getCluster(vm);
      const read = (key: Parameters<typeof cache.get>[1]) =>
        cache.get<OwnerCluster>(ownerClusters, key);
      return cluster && readOwner(cluster, "Cluster", read);
    },
  };
}
