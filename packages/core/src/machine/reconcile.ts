import type { Cluster, Machine } from "@rookery/api";
import { createLifecycle, type Outcome, requeueAfter } from "@rookery/runtime";
import { whenPaused, withObservedGeneration } from "../conditions/order.ts";
import { NotConnectedError, oneError, ReportedError } from "../errors.ts";
import { errorCondition } from "../failures.ts";
import { machineFinalizer } from "../names.ts";
import { earliest, missingSeconds, requeueForMissing } from "../steps.ts";
import { deleteParts } from "./phases/delete-parts.ts";
import type { MachineDeletionStep } from "./phases/empty-node.ts";
import { type Observation, observe } from "./phases/observe.ts";
import type { MachineScope } from "./scope.ts";
import { withStatus } from "./status.ts";

/** Joins a Machine with its bootstrap data, its infrastructure and its node, and deletes them with it. */
export const machineLifecycle = createLifecycle<Machine, MachineScope, Cluster>({
  finalizer: machineFinalizer,
  finalizerFirst: true,
  owner: (machine, { getCluster }) => getCluster(machine),
  whenUnowned: (machine) => ({ object: machine, result: requeueAfter(missingSeconds) }),
  whenPaused: (machine, { clock }, cluster) => whenPaused(machine, cluster, clock),
  provision,
  remove,
  errors: errorCondition("Ready", "Unknown"),
});

async function provision(
  read: Machine,
  scope: MachineScope,
  cluster: Cluster,
): Promise<Outcome<Machine>> {
  const observation = await observe(read, cluster, scope);
  const { object, result } = await report(observation, undefined, scope);
  const { problems, isUnreported, observed } = observation;
  throwIfAny(
    problems.filter((problem) => !(problem instanceof NotConnectedError)),
    isUnreported,
  );
  const missing = requeueForMissing(observed.bootstrap, observed.infrastructure);
  return { object, result: earliest(result, missing) };
}

/** Without a Cluster `whenUnowned` comes first: see `finalizerFirst`. */
async function remove(
  read: Machine,
  scope: MachineScope,
  cluster: Cluster | undefined,
): Promise<Outcome<Machine> | "removed"> {
  if (!cluster) return { object: read, result: requeueAfter(missingSeconds) };
  const seen = await observe(read, cluster, scope);
  const step = await deleteParts(seen.machine, seen.observed, scope);
  const problems = [...seen.problems, ...(step.error ? [step.error] : [])];
  const { object, result } = await report({ ...seen, problems }, step, scope);
  if (step.isOver) return "removed";
  throwIfAny(problems, seen.isUnreported);
  return { object, result: earliest(result, step.result) };
}

function throwIfAny(problems: readonly unknown[], isUnreported: boolean): void {
  if (problems.length === 0) return;
  throw isUnreported ? oneError(problems) : new ReportedError(problems);
}

/** Writes the status of the Machine; its conditions hold for the generation that was read. */
async function report(
  { current, machine, observed, problems }: Observation,
  step: MachineDeletionStep | undefined,
  { commit, clock }: MachineScope,
): Promise<Required<Outcome<Machine>>> {
  const { deletion } = step ?? {};
  const deleting = deletion ? { ...machine, status: { ...machine.status, deletion } } : machine;
  const stated = withStatus(deleting, { ...observed, ...(step && { deleting: step }) }, clock);
  const desired = withObservedGeneration(stated.machine, problems.length === 0);
  return { object: await commit(current, desired), result: stated.result };
}
