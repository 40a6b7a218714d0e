import type { VSphereCluster } from "@rookery/api";
import { deepEqual, FieldError, fieldPath } from "@rookery/kube";
import {
  type AdmissionContext,
  denyInvalid,
  isBeingDeleted,
  type Validator,
} from "@rookery/runtime";
import { checkAllowed, type IdentitySources } from "../credentials/resolve-identity.ts";
import { IdentityError } from "../errors.ts";
import { clusters } from "../resources.ts";

/** Reads from the server: a cache may lack an object that was just created. */
export type ClusterWebhookDependencies = Pick<
  IdentitySources,
  "getIdentity" | "getNamespace" | "servers"
>;

/**
 * Rejects clusters that may not use their identity. A missing identity may be created later: the reconcile reports that.
 */
export function clusterValidator(
  dependencies: ClusterWebhookDependencies,
): Validator<VSphereCluster> {
  return {
    create: (cluster, context) => check(inNamespace(cluster, context), dependencies, context),
    // A cluster that was allowed before stays allowed, so that it can be deleted, too.
    update: async (cluster, old, context) => {
      if (isBeingDeleted(cluster) || isSameIdentity(cluster, old)) return;
      await check(cluster, dependencies, context);
    },
  };
}

function isSameIdentity({ spec: a }: VSphereCluster, { spec: b }: VSphereCluster): boolean {
  return deepEqual(a?.identityRef, b?.identityRef) && a?.server === b?.server;
}

async function check(
  cluster: VSphereCluster,
  dependencies: ClusterWebhookDependencies,
  context: AdmissionContext,
): Promise<void> {
  const { kind, name = "" } = cluster.spec?.identityRef ?? {};
  if (kind !== "VSphereClusterIdentity") return;
  const identity = await dependencies.getIdentity(name);
  if (!identity) {
    context.warn(`there is no VSphereClusterIdentity ${name} yet; the cluster waits for it`);
    return;
  }
  try {
    await checkAllowed(cluster, identity, dependencies);
  } catch (error) {
    if (!(error instanceof IdentityError)) throw error;
    const field = error.reason === "ServerNotAllowed" ? ["server"] : ["identityRef", "name"];
    const problem = FieldError.forbidden(fieldPath("spec", ...field), error.message);
    denyInvalid(clusters, cluster, [problem]);
  }
}

/** The server fills in the namespace of an object only after it was admitted. */
function inNamespace(cluster: VSphereCluster, { request }: AdmissionContext): VSphereCluster {
  const { namespace = request.namespace ?? "" } = cluster.metadata;
  return { ...cluster, metadata: { ...cluster.metadata, namespace } };
}
