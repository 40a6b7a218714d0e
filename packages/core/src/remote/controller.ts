import type { Cluster } from "@rookery/api";
import { keyBeside } from "@rookery/kube";
import { type Controller, controllerFor, type ReconcileContext } from "@rookery/runtime";
import type { CoreParts } from "../parts.ts";
import { clusters } from "../resources.ts";
import { clusterOfSecret, decode, kubeconfigSecret, readSecret } from "./kubeconfig-secret.ts";
import type { ConnectionScope } from "./workload-clusters.ts";

/** Keeps the connections to the API servers of Clusters. */
export function createConnectionController(parts: CoreParts): Controller {
  const { secretMetadata, workloadClusters } = parts;
  return controllerFor<Cluster>(clusters, parts, { name: "clustercache", concurrency: 100 })
    .watches(secretMetadata, (secret) => {
      const cluster = clusterOfSecret(secret.metadata.name ?? "");
      return cluster === undefined ? [] : [keyBeside(secret, cluster)];
    })
    .reconcile<ConnectionScope>(
      (request, scope) => workloadClusters.reconcile(request, scope),
      (context) => connectionScope(context, parts),
    );
}

function connectionScope(
  { client, signal, request, get }: ReconcileContext<Cluster>,
  { secretMetadata }: Pick<CoreParts, "secretMetadata">,
): ConnectionScope {
  const key = { ...request, name: kubeconfigSecret(request.name) };
  return {
    signal,
    getCluster: () => get(request),
    secretVersion: () => secretMetadata.get(key)?.metadata.resourceVersion,
    kubeconfig: async () => {
      const secret = await readSecret(client, key);
      if (!secret) throw new Error(`there is no Secret ${key.name}`);
      return decode(secret.data?.value);
    },
  };
}
