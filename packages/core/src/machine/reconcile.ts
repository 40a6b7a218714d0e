import type { Cluster, Machine } from "@rookery/api";
import { pausedStatement } from "@rookery/cluster-api";
import { isFalse, isUnknown, statementsOf } from "@rookery/kube";
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
import {
  ContractError,
  NotConnectedError,
  oneError,
  PartLostError,
  ReportedError,
} from "../errors.ts";
import { machineFinalizer } from "../names.ts";
import { sooner } from "../sooner.ts";
import { withGenerationOf } from "../with-generation-of.ts";
import { adoptPart } from "./adopt-part.ts";
import { deleteMachine } from "./delete-machine.ts";
import type { DeletionStep } from "./deletion-step.ts";
import { lookAtNode } from "./look-at-node.ts";
import { adopted } from "./policies.ts";
import type { MachineDependencies, ObservedMachine } from "./scope.ts";
import { withStatus } from "./status.ts";
import { fromBootstrap, fromInfrastructure, type TakenOver, withExpiry } from "./take-over.ts";

const missingSeconds = 30;

/** Joins a Machine with its bootstrap data, its infrastructure and its node, and ends it. */
export async function reconcileMachine(
  request: Request,
  dependencies: MachineDependencies,
  signal: AbortSignal,
): Promise<Result> {
  const { getMachine, getCluster, commit, clock } = dependencies;
  const read = await getMachine(request);
  if (!read) return done;
  if (isBeingDeleted(read) && !hasFinalizer(read, machineFinalizer)) return done;
  const { namespace } = read.metadata;
  const key = { name: read.spec.clusterName, ...(namespace && { namespace }) };
  const cluster = await getCluster(key);
  if (!cluster) return requeueAfter(missingSeconds);
  const machine = await commit(read, withFinalizer(read, machineFinalizer));
  const paused = pausedStatement(cluster, machine);
  if (paused.status === "True") {
    await commit(machine, withOrderedConditions(machine, [paused], clock));
    return done;
  }
  return advance(machine, cluster, dependencies, signal);
}

/** Says of a Machine why its reconcile failed where none of its conditions says so. */
export async function reportMachineError(
  failure: FailedReconcile,
  { getMachine, commit, clock }: MachineDependencies,
): Promise<void> {
  if (failure.error instanceof ReportedError) return;
  const report = createErrorReporter<Machine>({
    get: getMachine,
    commit,
    withFinding: (machine, { reason, message }) =>
      withOrderedConditions(machine, statementsOf({ Ready: isUnknown(reason, message) }), clock),
    findingOf: (error) =>
      error instanceof ContractError ? isFalse("InternalError", error.message) : undefined,
  });
  await report(failure);
}

async function advance(
  machine: Machine,
  cluster: Cluster,
  dependencies: MachineDependencies,
  signal: AbortSignal,
): Promise<Result> {
  const problems: unknown[] = [];
  const parts = await findParts(machine, cluster, dependencies, signal);
  const { bootstrap, infrastructure } = parts;
  problems.push(...problemsOf(machine, parts));
  // No condition is about what a part should have said and did not.
  const untold: unknown[] = [];
  const taken = takeOver(machine, parts, untold);
  problems.push(...untold);
  const owned = adopted({ ...machine, spec: taken.spec }, cluster);
  const committed = await dependencies.commit(machine, owned);
  const asRead = withGenerationOf({ ...committed, status: taken.status }, machine);
  const filled = withExpiry(asRead, bootstrap);
  const node = await lookAtNode(filled, { cluster, infrastructure }, dependencies);
  if ("error" in node) problems.push(node.error);
  // Its connection asks for the machine when it is there.
  if (node.outcome === "notConnected")
    problems.push(new NotConnectedError(machine.spec.clusterName));
  const withNode = node.outcome === "found" ? nodeTaken(filled, node.node) : filled;
  const step = isBeingDeleted(machine)
    ? await deleteMachine(withNode, { cluster, ...parts }, dependencies, signal)
    : undefined;
  if (step?.error) problems.push(step.error);
  const findings = { cluster, ...parts, node, probe: dependencies.probe(cluster) };
  const result = await report(committed, withNode, { findings, step, problems }, dependencies);
  const serious = problems.filter((problem) => !(problem instanceof NotConnectedError) || step);
  if (serious.length > 0 && !step?.isOver) {
    throw untold.length > 0 ? oneError(serious) : new ReportedError(serious);
  }
  const isMissing = [bootstrap, infrastructure].some(({ outcome }) => outcome === "missing");
  const waits = isMissing && !step ? requeueAfter(missingSeconds) : done;
  return sooner(sooner(result, step?.result ?? done), waits);
}

interface Parts {
  readonly bootstrap: Lookup;
  readonly infrastructure: Lookup;
}

async function findParts(
  machine: Machine,
  cluster: Cluster,
  { externals }: MachineDependencies,
  signal: AbortSignal,
): Promise<Parts> {
  const find = async (reference: ContractReference | undefined) => {
    const lookup = await externals.find(reference, machine.metadata.namespace, signal);
    return adoptPart(machine, lookup, { cluster, externals });
  };
  const bootstrap = await find(machine.spec.bootstrap.configRef);
  return { bootstrap, infrastructure: await find(machine.spec.infrastructureRef) };
}

function problemsOf(machine: Machine, { bootstrap, infrastructure }: Parts): unknown[] {
  const failed = [bootstrap, infrastructure].flatMap((lookup) =>
    lookup.outcome === "failed" ? [lookup.error] : [],
  );
  const wasUp = machine.status?.initialization?.infrastructureProvisioned;
  const isLost = infrastructure.outcome === "missing" && wasUp && !isBeingDeleted(machine);
  const { kind, name } = machine.spec.infrastructureRef;
  return isLost ? [...failed, new PartLostError(kind, name, "provisioned")] : failed;
}

function takeOver(machine: Machine, parts: Parts, problems: unknown[]): TakenOver {
  let taken: TakenOver = { spec: machine.spec, status: machine.status ?? {} };
  try {
    taken = fromBootstrap(taken, parts.bootstrap);
  } catch (error) {
    problems.push(error);
  }
  return fromInfrastructure(taken, parts.infrastructure);
}

function nodeTaken(
  machine: Machine,
  { metadata, status }: { metadata: { name?: string }; status?: { nodeInfo?: object } },
): Machine {
  const nodeRef = machine.status?.nodeRef ?? { name: metadata.name ?? "" };
  const nodeInfo = status?.nodeInfo as NonNullable<Machine["status"]>["nodeInfo"];
  return { ...machine, status: { ...machine.status, nodeRef, ...(nodeInfo && { nodeInfo }) } };
}

interface Report {
  readonly findings: ObservedMachine;
  readonly step: DeletionStep | undefined;
  readonly problems: readonly unknown[];
}

async function report(
  committed: Machine,
  filled: Machine,
  { findings, step, problems }: Report,
  { commit, clock }: MachineDependencies,
): Promise<Result> {
  const deletion = step?.deletion;
  const machine = deletion ? { ...filled, status: { ...filled.status, deletion } } : filled;
  const told = withStatus(machine, { ...findings, ...(step && { deleting: step }) }, clock);
  const { generation } = filled.metadata;
  const isObserved = problems.length === 0 && generation !== undefined;
  const status = { ...told.machine.status, ...(isObserved && { observedGeneration: generation }) };
  const written = await commit(committed, { ...told.machine, status });
  if (step?.isOver) await commit(written, withoutFinalizer(written, machineFinalizer));
  return told.result;
}
