import type { VSphereMachine, VSphereVM } from "@rookery/api";
import { objectKeyOf, withControllerReference } from "@rookery/kube";
import { notReady, type Statement } from "./conditions.ts";
import { wasProvisioned } from "./policies.ts";
import type { MachineDependencies } from "./scope.ts";
import {
  otherMachine,
  type Purpose,
  virtualMachineFor,
  withMutableFields,
} from "./virtual-machine.ts";

/**
 * Finds the VSphereVM of a machine, or makes it; brings what may change to what the machine says.
 * Returns why there is none where there cannot be one.
 */
export async function ensureVm(
  machine: VSphereMachine,
  purpose: Purpose,
  dependencies: MachineDependencies,
): Promise<VSphereVM | Statement> {
  const desired = virtualMachineFor(machine, purpose);
  const vm = await find(machine, desired, dependencies);
  if (!vm) {
    if (wasProvisioned(machine)) return gone(desired);
    const created = await dependencies.createVm(desired);
    return created ?? notReady("Provisioning", "the virtual machine is being made");
  }
  const other = otherMachine(vm, machine);
  if (other) return taken(vm, other);
  // In two commits: what is said of an owner is no part of what is wanted.
  const owned = await dependencies.commitVm(vm, withControllerReference(vm, machine));
  return dependencies.commitVm(owned, withMutableFields(owned, desired));
}

async function find(
  machine: VSphereMachine,
  desired: VSphereVM,
  { ownedVms, readVm }: MachineDependencies,
): Promise<VSphereVM | undefined> {
  const [owned] = await ownedVms(machine);
  return owned ?? readVm(objectKeyOf(desired));
}

/** Another one would be another machine, under the name of one that has joined its cluster. */
function gone({ metadata }: VSphereVM): Statement {
  const message = `the VSphereVM ${metadata.name} is gone, and with it the virtual machine; delete the Machine, so that another takes its place`;
  return notReady("VirtualMachineNotFound", message);
}

function taken({ metadata }: VSphereVM, other: string): Statement {
  const message = `the VSphereVM ${metadata.name} belongs to the VSphereMachine ${other}; a Machine of another name is needed`;
  return notReady("NameTaken", message);
}
