import type { Cluster } from "@rookery/api";
import { pausedStatement } from "@rookery/cluster-api";
import { isUnknown, statementsOf } from "@rookery/kube";
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
import type { ContractReference, Lookup } from "../contract/externals.ts";
import { oneError, PartLostError, PartTakenError, ReportedError } from "../errors.ts";
import { clusterFinalizer } from "../names.ts";
import { sooner } from "../sooner.ts";
import { withGenerationOf } from "../with-generation-of.ts";
import { adoptPart } from "./adopt-part.ts";
import { deleteParts } from "./delete-parts.ts";
import { isValidEndpoint, withEndpoint, withInitialization } from "./policies.ts";
import type { ClusterDependencies, ObservedCluster } from "./scope.ts";
import { withStatus } from "./status.ts";
import { tellOfChanges } from "./tell-of-changes.ts";

const missingSeconds = 30;

/** Joins a Cluster with its infrastructure and control plane, says what has become of it, and ends it. */
export async function reconcileCluster(
  request: Request,
  dependencies: ClusterDependencies,
  signal: AbortSignal,
): Promise<Result> {
  const { getCluster, commit, clock } = dependencies;
  const read = await getCluster(request);
  if (!read) return done;
  if (isBeingDeleted(read) && !hasFinalizer(read, clusterFinalizer)) return done;
  const cluster = await commit(read, withFinalizer(read, clusterFinalizer));
  const paused = pausedStatement(cluster, cluster);
  if (paused.status === "True") {
    await commit(cluster, withOrderedConditions(cluster, [paused], clock));
    return done;
  }
  return advance(cluster, dependencies, signal);
}

/** Says of a Cluster why its reconcile failed where none of its conditions says so. */
export async function reportClusterError(
  failure: FailedReconcile,
  { getCluster, commit, clock }: ClusterDependencies,
): Promise<void> {
  if (failure.error instanceof ReportedError) return;
  const report = createErrorReporter<Cluster>({
    get: getCluster,
    commit,
    withFinding: (cluster, { reason, message }) =>
      withOrderedConditions(
        cluster,
        statementsOf({ Available: isUnknown(reason, message) }),
        clock,
      ),
  });
  await report(failure);
}

async function advance(
  cluster: Cluster,
  dependencies: ClusterDependencies,
  signal: AbortSignal,
): Promise<Result> {
  const { spec, status } = cluster;
  const { initialization = {} } = status ?? {};
  const find = (reference: ContractReference | undefined) =>
    part(cluster, reference, dependencies, signal);
  const infrastructure = await find(spec.infrastructureRef);
  const controlPlane = await find(spec.controlPlaneRef);
  const machines = await dependencies.listMachines(cluster);
  const found = { infrastructure, controlPlane, machines };
  const problems = [
    ...problemsOf(cluster, infrastructure, {
      reference: spec.infrastructureRef,
      wasUp: initialization.infrastructureProvisioned && "provisioned",
    }),
    ...problemsOf(cluster, controlPlane, {
      reference: spec.controlPlaneRef,
      wasUp: initialization.controlPlaneInitialized && "initialized",
    }),
  ];
  if (isBeingDeleted(cluster)) return advanceDeletion(cluster, { found, problems }, dependencies);
  const committed = await dependencies.commit(cluster, withEndpoint(cluster, found));
  const { waits, error } = await kubeconfigWait(committed, dependencies);
  const all = error === undefined ? problems : [...problems, error];
  await report(cluster, committed, { found, problems: all }, dependencies);
  // No condition is about the kubeconfig.
  if (error !== undefined) throw oneError(all);
  if (problems.length > 0) throw new ReportedError(problems);
  const isMissing = [infrastructure, controlPlane].some(({ outcome }) => outcome === "missing");
  return sooner(waits, isMissing ? requeueAfter(missingSeconds) : done);
}

type Found = Omit<ObservedCluster, "probe" | "deleting">;

interface Step {
  readonly found: Found;
  readonly problems: unknown[];
}

async function part(
  cluster: Cluster,
  reference: ContractReference | undefined,
  { externals }: ClusterDependencies,
  signal: AbortSignal,
): Promise<Lookup> {
  const lookup = await externals.find(reference, cluster.metadata.namespace, signal);
  return adoptPart(cluster, lookup, externals);
}

/** What is to be tried again, and said in the log. */
function problemsOf(
  cluster: Cluster,
  lookup: Lookup,
  {
    reference,
    wasUp,
  }: { reference: ContractReference | undefined; wasUp: string | false | undefined },
): unknown[] {
  if (lookup.outcome === "failed") {
    // A deletion leaves alone what is another Cluster's.
    const isOther = lookup.error instanceof PartTakenError && isBeingDeleted(cluster);
    return isOther ? [] : [lookup.error];
  }
  if (lookup.outcome !== "missing" || !wasUp || isBeingDeleted(cluster)) return [];
  return [new PartLostError(reference?.kind ?? "", reference?.name ?? "", wasUp)];
}

/** A control plane brings the kubeconfig; where none is named it is made here. */
async function kubeconfigWait(
  cluster: Cluster,
  { ensureKubeconfig }: ClusterDependencies,
): Promise<{ readonly waits: Result; readonly error?: unknown }> {
  if (!isValidEndpoint(cluster.spec) || cluster.spec.controlPlaneRef) return { waits: done };
  try {
    const isThere = (await ensureKubeconfig(cluster)) === "there";
    return { waits: isThere ? done : requeueAfter(missingSeconds) };
  } catch (error) {
    return { waits: done, error };
  }
}

async function advanceDeletion(
  cluster: Cluster,
  { found, problems }: Step,
  dependencies: ClusterDependencies,
): Promise<Result> {
  const failures: unknown[] = [];
  const step = await deleteParts(cluster, found, dependencies).catch((error: unknown) => {
    failures.push(error);
    return undefined;
  });
  const all = [...problems, ...failures];
  const told = await report(
    cluster,
    cluster,
    { found, problems: all, ...(step && { deleting: step }) },
    dependencies,
  );
  if (failures.length > 0) throw oneError(all);
  if (problems.length > 0) throw new ReportedError(problems);
  if (step?.isOver) {
    await dependencies.commit(told, withoutFinalizer(told, clusterFinalizer));
    const { name } = cluster.metadata;
    const note = `Cluster ${name} has been deleted`;
    dependencies.recorder.event(cluster, { type: "Normal", reason: "Deleted", note });
  }
  return step?.result ?? done;
}

/**
 * Conditions are as of the generation that was read: where the spec was filled in meanwhile, that is
 * looked at by itself.
 */
async function report(
  before: Cluster,
  cluster: Cluster,
  { found, problems, deleting }: Step & Pick<ObservedCluster, "deleting">,
  { commit, probe, recorder, clock }: ClusterDependencies,
): Promise<Cluster> {
  const findings = { ...found, probe: probe(cluster), ...(deleting && { deleting }) };
  const asRead = withGenerationOf(cluster, before);
  const told = withStatus(withInitialization(asRead, found), findings, clock);
  const { generation } = asRead.metadata;
  const isObserved = problems.length === 0 && generation !== undefined;
  const status = { ...told.status, ...(isObserved && { observedGeneration: generation }) };
  const desired = { ...told, status };
  const committed = await commit(cluster, desired);
  tellOfChanges(before, desired, recorder);
  return committed;
}
