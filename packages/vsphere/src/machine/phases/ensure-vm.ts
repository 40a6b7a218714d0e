import type { VSphereMachine, VSphereVM } from "@rookery/api";
import { type Finding, isFalse, objectKeyOf, withControllerReference } from "@rookery/kube";
import { wasProvisioned } from "../policies.ts";
import type { MachineScope } from "../scope.ts";
import {
  otherMachine,
  type Purpose,
  virtualMachineFor,
  withMutableFields,
} from "../virtual-machine.ts";

/**
 * Finds or makes the VSphereVM of a machine, and updates the fields that may change.
 * Returns a finding where there cannot be a VSphereVM.
 */
export async function ensureVm(
  machine: VSphereMachine,
  purpose: Purpose,
  scope: MachineScope,
): Promise<VSphereVM | Finding> {
  const desired = virtualMachineFor(machine, purpose);
  const vm = await find(machine, desired, scope);
  if (!vm) {
    if (wasProvisioned(machine)) return gone(desired);
    const created = await scope.createVm(desired);
    return created ?? isFalse("Provisioning", "the virtual machine is being made");
  }
  const other = otherMachine(vm, machine);
  if (other) return taken(vm, other);
  // In two commits: the owner references are not part of the desired object.
  const owned = await scope.commitVm(vm, withControllerReference(vm, machine));
  return scope.commitVm(owned, withMutableFields(owned, desired));
}

async function find(
  machine: VSphereMachine,
  desired: VSphereVM,
  { ownedVms, readVm }: MachineScope,
): Promise<VSphereVM | undefined> {
  const [owned] = await ownedVms(machine);
  return owned ?? readVm(objectKeyOf(desired));
}

/** A new virtual machine would be another machine, under the name of one that has joined its cluster. */
function gone({ metadata }: VSphereVM): Finding {
  const message = `the VSphereVM ${metadata.name} is gone, and with it the virtual machine; delete the Machine, so that another takes its place`;
  return isFalse("VirtualMachineNotFound", message);
}

function taken({ metadata }: VSphereVM, other: string): Finding {
  const message = `the VSphereVM ${metadata.name} belongs to the VSphereMachine ${other}; a Machine of another name is needed`;
  return isFalse("NameTaken", message);
}
