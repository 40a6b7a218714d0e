import type { VSphereMachine, VSphereVM } from "@rookery/api";
import { clusterApiOwner, isPaused, paused } from "@rookery/cluster-api";
import { getCondition, withConditions } from "@rookery/kube";
import {
  createErrorReporter,
  done,
  type FailedReconcile,
  hasFinalizer,
  isBeingDeleted,
  type Request,
  type Result,
  withFinalizer,
  withoutFinalizer,
} from "@rookery/runtime";
import { notReady, type Statement, withStatement } from "./conditions.ts";
import { ensureVm } from "./ensure-vm.ts";
import { observedStatus, providerIdOf, purposeOf, readiness } from "./policies.ts";
import type { MachineDependencies } from "./scope.ts";
import { virtualMachineName } from "./virtual-machine.ts";

const machineFinalizer = "vspheremachine.infrastructure.cluster.x-k8s.io";

/** Lets a VSphereMachine have one virtual machine, and tells Cluster API what becomes of it. */
export async function reconcileMachine(
  request: Request,
  dependencies: MachineDependencies,
): Promise<Result> {
  const machine = await dependencies.getMachine(request);
  if (!machine) return done;
  const owner = await dependencies.getOwner(machine);
  const ownerCluster = await dependencies.getOwnerCluster(machine, owner);
  if (isPaused(ownerCluster, machine)) {
    await dependencies.commit(machine, withConditions(machine, [paused], dependencies.clock));
    return done;
  }
  if (isBeingDeleted(machine)) return remove(machine, dependencies);
  if (owner && !hasFinalizer(machine, machineFinalizer)) {
    await dependencies.commit(machine, withFinalizer(machine, machineFinalizer));
    return done;
  }
  const cluster = ownerCluster && (await dependencies.getCluster(ownerCluster));
  const purpose = purposeOf({ machine, owner, ownerCluster, cluster });
  if ("reason" in purpose) return say(machine, purpose, dependencies);
  const vm = await ensureVm(machine, purpose, dependencies);
  if ("reason" in vm) return say(machine, vm, dependencies);
  return report(machine, vm, dependencies);
}

/** Says of a machine why its reconcile failed. */
export function reportMachineError(
  failed: FailedReconcile,
  dependencies: MachineDependencies,
): Promise<void> {
  const report = createErrorReporter<VSphereMachine>({
    get: dependencies.getMachine,
    commit: dependencies.commit,
    withFinding: (machine, { reason, message }) =>
      withStatement(machine, notReady(reason, message), dependencies),
  });
  return report(failed);
}

/** First who the machine is, then that it is there: Cluster API reads both once it is there. */
async function report(
  machine: VSphereMachine,
  vm: VSphereVM,
  dependencies: MachineDependencies,
): Promise<Result> {
  const providerID = providerIdOf(vm);
  const named =
    providerID && providerID !== machine.spec.providerID
      ? await dependencies.commit(machine, { ...machine, spec: { ...machine.spec, providerID } })
      : machine;
  const statement = readiness(vm, named);
  const stated = withStatement(named, statement, dependencies);
  const isThere = statement.status === "True" || named.status?.initialization?.provisioned;
  await dependencies.commit(named, {
    ...stated,
    status: {
      ...stated.status,
      ...observedStatus(vm),
      ...(isThere && { initialization: { provisioned: true } }),
    },
  });
  return done;
}

/** The virtual machine goes first. */
async function remove(machine: VSphereMachine, dependencies: MachineDependencies): Promise<Result> {
  if (!hasFinalizer(machine, machineFinalizer)) return done;
  const left = await vmsOf(machine, dependencies);
  for (const vm of left) if (!isBeingDeleted(vm)) await dependencies.deleteVm(vm);
  if (left.length > 0) {
    const why = left.flatMap(({ status }) => getCondition(status?.conditions, "Ready") ?? []);
    const message = why.find(({ status }) => status === "False")?.message;
    const going = "the virtual machine goes first";
    return say(machine, notReady("Deleting", message || going), dependencies);
  }
  await dependencies.commit(machine, withoutFinalizer(machine, machineFinalizer));
  return done;
}

async function vmsOf(
  machine: VSphereMachine,
  { ownedVms, readVm }: MachineDependencies,
): Promise<readonly VSphereVM[]> {
  const owned = await ownedVms(machine);
  const owner = clusterApiOwner(machine.metadata, "Machine");
  if (owned.length > 0 || !owner) return owned;
  const { namespace, uid } = machine.metadata;
  const name = virtualMachineName(machine, owner.name);
  const vm = await readVm({ name, ...(namespace && { namespace }) });
  const isOwned = vm?.metadata.ownerReferences?.some((reference) => reference.uid === uid);
  return vm && isOwned ? [vm] : [];
}

async function say(
  machine: VSphereMachine,
  statement: Statement,
  dependencies: MachineDependencies,
): Promise<Result> {
  await dependencies.commit(machine, withStatement(machine, statement, dependencies));
  return done;
}
