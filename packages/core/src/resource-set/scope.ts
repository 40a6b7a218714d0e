import type { Cluster, ClusterResourceSet, ClusterResourceSetBinding } from "@rookery/api";
import { getOptional, ignoreAlreadyExists } from "@rookery/client";
import { type Clock, type KubeObject, type ObjectKey, objectKeyOf } from "@rookery/kube";
import {
  type Commit,
  createResourceCommitter,
  deleteObject,
  isBeingDeleted,
  type LifecycleScope,
  type ReconcileContext,
} from "@rookery/runtime";
import type { CoreParts } from "../parts.ts";
import { clusters, configMaps, resourceSetBindings, secrets } from "../resources.ts";
import { type WorkloadClient, workloadClientWithin } from "../scope.ts";
import { type ResourceReference, selects } from "./policies.ts";

/** A ConfigMap or a Secret. */
export interface DataObject extends KubeObject {
  readonly type?: string;
  readonly data?: Readonly<Record<string, string>>;
}

/** What one reconcile of a ClusterResourceSet needs. */
export interface ResourceSetScope extends LifecycleScope<ClusterResourceSet> {
  /** The Clusters that the set selects, except those that are being deleted. */
  readonly selectedClusters: (set: ClusterResourceSet) => Promise<readonly Cluster[]>;
  readonly getData: (
    reference: ResourceReference,
    namespace: string,
  ) => Promise<DataObject | undefined>;
  readonly commitData: Commit<DataObject>;
  readonly getBinding: (key: ObjectKey) => Promise<ClusterResourceSetBinding | undefined>;
  readonly createBinding: (
    binding: ClusterResourceSetBinding,
  ) => Promise<ClusterResourceSetBinding>;
  readonly commitBinding: Commit<ClusterResourceSetBinding>;
  readonly deleteBinding: (binding: ClusterResourceSetBinding) => Promise<void>;
  readonly workloadClient: WorkloadClient;
  readonly clock: Clock;
}

export function resourceSetScope(
  context: ReconcileContext<ClusterResourceSet>,
  parts: Pick<CoreParts, "workloadClusters" | "clock">,
): ResourceSetScope {
  const { client, cache, get, commit } = context;
  const bindings = client.resource<ClusterResourceSetBinding>(resourceSetBindings);
  const dataClient = (kind: string) =>
    client.resource<DataObject>(kind === "Secret" ? secrets : configMaps);
  return {
    get,
    commit,
    selectedClusters: async ({ metadata: { namespace = "" }, spec }) => {
      const all = await cache.list<Cluster>(clusters, { namespace });
      return all.filter(
        (cluster) =>
          !isBeingDeleted(cluster) && selects(spec.clusterSelector, cluster.metadata.labels ?? {}),
      );
    },
    getData: ({ kind, name }, namespace) => getOptional(dataClient(kind), { namespace, name }),
    commitData: (original, ...rest) =>
      createResourceCommitter(dataClient(original.kind))(original, ...rest),
    // Read from the server: resources whose binding a cache does not hold yet would be applied twice.
    getBinding: (key) => getOptional(bindings, key),
    createBinding: async (binding) =>
      (await ignoreAlreadyExists(bindings.create(binding))) ?? bindings.get(objectKeyOf(binding)),
    commitBinding: createResourceCommitter(bindings),
    deleteBinding: (binding) => deleteObject(bindings, binding),
    workloadClient: workloadClientWithin(context, parts),
    clock: parts.clock,
  };
}
