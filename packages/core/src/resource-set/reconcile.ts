import type { ClusterResourceSet } from "@rookery/api";
import { notPaused, pausedStatement } from "@rookery/cluster-api";
import { isConflict, isFalse, statementsOf, withoutOwnerReference } from "@rookery/kube";
import {
  createErrorReporter,
  done,
  type FailedReconcile,
  hasFinalizer,
  isBeingDeleted,
  type Request,
  type Result,
  requeueAfter,
  withFinalizer,
  withoutFinalizer,
} from "@rookery/runtime";
import { withOrderedConditions } from "../conditions/order.ts";
import { NotConnectedError, ReportedError } from "../errors.ts";
import { resourceSetFinalizer, seeLog } from "../names.ts";
import { type Applying, applyToCluster } from "./apply-to-cluster.ts";
import type { ResourceSetDependencies } from "./scope.ts";

/** Applies what a ClusterResourceSet names to all clusters that it selects. */
export async function reconcileResourceSet(
  request: Request,
  dependencies: ResourceSetDependencies,
): Promise<Result> {
  const { getResourceSet, commit, clock } = dependencies;
  const read = await getResourceSet(request);
  if (!read) return done;
  if (isBeingDeleted(read) && !hasFinalizer(read, resourceSetFinalizer)) return done;
  const set = await commit(read, withFinalizer(read, resourceSetFinalizer));
  const paused = pausedStatement(undefined, set);
  if (paused.status === "True") {
    await commit(set, withOrderedConditions(set, [paused], clock));
    return done;
  }
  if (isBeingDeleted(set)) return leave(set, dependencies);
  return apply(set, dependencies);
}

async function apply(
  set: ClusterResourceSet,
  dependencies: ResourceSetDependencies,
): Promise<Result> {
  const outcomes: Applying[] = [];
  for (const cluster of await dependencies.selectedClusters(set)) {
    outcomes.push(await applyToCluster(set, cluster, dependencies).catch(failed));
  }
  const told = outcomes.find(({ error }) => error) ?? outcomes.at(-1);
  const errors = outcomes.flatMap(({ error }) => (error ? [error] : []));
  const statements = [notPaused, ...statementsOf({ ResourcesApplied: told?.finding })];
  const stated = withOrderedConditions(set, statements, dependencies.clock);
  const { generation } = set.metadata;
  const isObserved = errors.length === 0 && generation !== undefined;
  const status = { ...stated.status, ...(isObserved && { observedGeneration: generation }) };
  await dependencies.commit(set, { ...stated, status });
  // A connection asks for the set when it is there.
  const serious = errors.filter((error) => !(error instanceof NotConnectedError));
  if (serious.length === 0) return done;
  if (serious.every(isConflict)) return requeueAfter(0.1);
  throw new ReportedError(serious);
}

function failed(error: unknown): Applying {
  return { finding: isFalse("InternalError", seeLog), error };
}

/** Says of a set why its reconcile failed before it could say so itself. */
export async function reportResourceSetError(
  failure: FailedReconcile,
  { getResourceSet, commit, clock }: ResourceSetDependencies,
): Promise<void> {
  if (failure.error instanceof ReportedError) return;
  const report = createErrorReporter<ClusterResourceSet>({
    get: getResourceSet,
    commit,
    withFinding: (set, { reason, message }) =>
      withOrderedConditions(
        set,
        statementsOf({ ResourcesApplied: isFalse(reason, message) }),
        clock,
      ),
  });
  await report(failure);
}

/** What was applied stays; only that it was is forgotten. */
async function leave(
  set: ClusterResourceSet,
  dependencies: ResourceSetDependencies,
): Promise<Result> {
  for (const { metadata } of await dependencies.selectedClusters(set)) {
    const { name = "", namespace = "" } = metadata;
    const binding = await dependencies.getBinding({ name, namespace });
    if (!binding) continue;
    const isOther = (one: { readonly clusterResourceSetName: string }) =>
      one.clusterResourceSetName !== set.metadata.name;
    const bindings = (binding.spec.bindings ?? []).filter(isOther);
    if (bindings.length === 0) await dependencies.deleteBinding(binding);
    else {
      const free = withoutOwnerReference(binding, set);
      await dependencies.commitBinding(binding, { ...free, spec: { ...binding.spec, bindings } });
    }
  }
  await dependencies.commit(set, withoutFinalizer(set, resourceSetFinalizer));
  return done;
}
