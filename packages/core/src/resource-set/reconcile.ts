import type { ClusterResourceSet } from "@rookery/api";
import { notPaused } from "@rookery/cluster-api";
import { isConflict, isFalse, statementsOf, withoutOwnerReference } from "@rookery/kube";
import { createLifecycle, type Outcome, requeueAfter } from "@rookery/runtime";
import { whenPaused, withObservedGeneration, withOrderedConditions } from "../conditions/order.ts";
import { NotConnectedError, ReportedError } from "../errors.ts";
import { errorCondition } from "../failures.ts";
import { resourceSetFinalizer, seeLog } from "../names.ts";
import { type Applying, applyToCluster } from "./phases/apply-to-cluster.ts";
import type { ResourceSetScope } from "./scope.ts";

/** Applies the resources of a ClusterResourceSet to all Clusters that it selects. */
export const resourceSetLifecycle = createLifecycle<ClusterResourceSet, ResourceSetScope>({
  finalizer: resourceSetFinalizer,
  finalizerFirst: true,
  whenPaused: (set, { clock }) => whenPaused(set, undefined, clock),
  provision,
  remove,
  errors: errorCondition("ResourcesApplied", "False"),
});

async function provision(
  set: ClusterResourceSet,
  scope: ResourceSetScope,
): Promise<Outcome<ClusterResourceSet>> {
  const all: Applying[] = [];
  for (const cluster of await scope.selectedClusters(set)) {
    all.push(await applyToCluster(set, cluster, scope).catch(failed));
  }
  const errors = all.flatMap(({ error }) => (error ? [error] : []));
  const object = await scope.commit(set, withStatus(set, all, scope));
  // A connection that opens starts another reconcile.
  const serious = errors.filter((error) => !(error instanceof NotConnectedError));
  if (serious.length === 0) return { object };
  if (serious.every(isConflict)) return { object, result: requeueAfter(0.1) };
  throw new ReportedError(serious);
}

function failed(error: unknown): Applying {
  return { finding: isFalse("InternalError", seeLog), error };
}

/** The set with the finding of the first cluster that failed, or else of the last one. */
function withStatus(
  set: ClusterResourceSet,
  all: readonly Applying[],
  { clock }: ResourceSetScope,
): ClusterResourceSet {
  const failure = all.find(({ error }) => error);
  const { finding } = failure ?? all.at(-1) ?? {};
  const statements = [notPaused, ...statementsOf({ ResourcesApplied: finding })];
  return withObservedGeneration(withOrderedConditions(set, statements, clock), !failure);
}

async function remove(set: ClusterResourceSet, scope: ResourceSetScope): Promise<"removed"> {
  await removeBindings(set, scope);
  return "removed";
}

/** Removes the entries of a set from all bindings. The applied resources stay in their clusters. */
async function removeBindings(
  set: ClusterResourceSet,
  { selectedClusters, getBinding, commitBinding, deleteBinding }: ResourceSetScope,
): Promise<void> {
  for (const { metadata } of await selectedClusters(set)) {
    const { name = "", namespace = "" } = metadata;
    const binding = await getBinding({ name, namespace });
    if (!binding) continue;
    const bindings = (binding.spec.bindings ?? []).filter(
      (one) => one.clusterResourceSetName !== set.metadata.name,
    );
    if (bindings.length === 0) await deleteBinding(binding);
    else {
      const free = withoutOwnerReference(binding, set);
      await commitBinding(binding, { ...free, spec: { ...binding.spec, bindings } });
    }
  }
}
