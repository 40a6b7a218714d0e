import type { VSphereMachine, VSphereVM } from "@rookery/api";
import { clusterApiOwner, type OwnerMachine, whenPaused } from "@rookery/cluster-api";
import { getCondition, isFalse, keyBeside } from "@rookery/kube";
import { createLifecycle, isBeingDeleted, type Outcome } from "@rookery/runtime";
import { ensureVm } from "./phases/ensure-vm.ts";
import { observedStatus, providerIdOf, purposeOf, readiness } from "./policies.ts";
import { withFinding } from "./report.ts";
import type { MachineScope } from "./scope.ts";
import { virtualMachineName } from "./virtual-machine.ts";

/** Gives a VSphereMachine one VSphereVM, and reports its state to Cluster API. */
export const machineLifecycle = createLifecycle<VSphereMachine, MachineScope, OwnerMachine>({
  finalizer: "vspheremachine.infrastructure.cluster.x-k8s.io",
  awaitsFinalizer: true,
  owner: (machine, { getOwner }) => getOwner(machine),
  whenPaused: async (machine, { getOwnerCluster, clock }, owner) =>
    whenPaused(machine, await getOwnerCluster(machine, owner), clock),
  whenUnowned: (machine, { clock }) => {
    const finding = isFalse("WaitingForOwner", "no Machine owns this object yet");
    return { object: withFinding(machine, finding, clock) };
  },
  provision,
  remove,
  errors: {
    withFinding: (machine, finding, { clock }) => withFinding(machine, finding, clock),
  },
});

async function provision(
  machine: VSphereMachine,
  scope: MachineScope,
  owner: OwnerMachine,
): Promise<Outcome<VSphereMachine>> {
  const ownerCluster = await scope.getOwnerCluster(machine, owner);
  const cluster = ownerCluster && (await scope.getCluster(ownerCluster));
  const purpose = purposeOf({ machine, owner, ownerCluster, cluster });
  if ("reason" in purpose) return { object: withFinding(machine, purpose, scope.clock) };
  const vm = await ensureVm(machine, purpose, scope);
  if ("reason" in vm) return { object: withFinding(machine, vm, scope.clock) };
  return report(machine, vm, scope);
}

/** Writes the provider ID before the status: Cluster API reads both once the machine is provisioned. */
async function report(
  machine: VSphereMachine,
  vm: VSphereVM,
  { commit, clock }: MachineScope,
): Promise<Outcome<VSphereMachine>> {
  const providerID = providerIdOf(vm);
  const named =
    providerID && providerID !== machine.spec.providerID
      ? await commit(machine, { ...machine, spec: { ...machine.spec, providerID } })
      : machine;
  const finding = readiness(vm, named);
  const object = withFinding(named, finding, clock);
  const isProvisioned = finding.status === "True" || named.status?.initialization?.provisioned;
  const initialization = isProvisioned && { initialization: { provisioned: true } };
  const status = { ...object.status, ...observedStatus(vm), ...initialization };
  return { object: { ...object, status } };
}

/** Deletes the VSphereVMs, and waits until they are gone. */
async function remove(
  machine: VSphereMachine,
  scope: MachineScope,
): Promise<Outcome<VSphereMachine> | "removed"> {
  const left = await vmsOf(machine, scope);
  for (const vm of left) if (!isBeingDeleted(vm)) await scope.deleteVm(vm);
  if (left.length === 0) return "removed";
  const conditions = left.flatMap(({ status }) => getCondition(status?.conditions, "Ready") ?? []);
  const failure = conditions.find(({ status }) => status === "False")?.message;
  const finding = isFalse("Deleting", failure || "the virtual machine goes first");
  return { object: withFinding(machine, finding, scope.clock) };
}

/** The VSphereVMs of a machine; one that the cache does not have yet is read from the server by its name. */
async function vmsOf(
  machine: VSphereMachine,
  { ownedVms, readVm }: MachineScope,
): Promise<readonly VSphereVM[]> {
  const owned = await ownedVms(machine);
  const owner = clusterApiOwner(machine.metadata, "Machine");
  if (owned.length > 0 || !owner) return owned;
  const vm = await readVm(keyBeside(machine, virtualMachineName(machine, owner.name)));
  const { uid } = machine.metadata;
  const isOwned = vm?.metadata.ownerReferences?.some((reference) => reference.uid === uid);
  return vm && isOwned ? [vm] : [];
}
