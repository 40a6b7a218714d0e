import type { VSphereVM } from "@rookery/api";
import { ForeignMachineError, ownerKey } from "../errors.ts";
import type { Session } from "../sessions/session.ts";
import { formatReference, type ManagedObjectReference } from "../vim/managed-object.ts";
import { reconfigureVirtualMachine } from "../vim/virtual-machine.ts";
import type { FoundMachine, MachineState } from "./machine-state.ts";
import type { VmScope } from "./scope.ts";

/**
 * Checks that a virtual machine is the object's. An account may see the machines of many namespaces, and the writer
 * of a VSphereVM chooses its UUID. So a machine has its namespace in its configuration, where no guest writes.
 * Machines of earlier versions have not: they are known by their uid, or by the status, which tenants do not write.
 * Errors: ForeignMachineError.
 */
export function assertOwner(
  vm: VSphereVM,
  { machine, isMadeForIt, owner }: FoundMachine & Pick<MachineState, "owner">,
  { adoptsAny }: Pick<VmScope, "adoptsAny">,
): void {
  const { namespace = "" } = vm.metadata;
  if (isMadeForIt || owner === namespace || adoptsAny) return;
  const wasManaged = vm.status?.vmRef === formatReference(machine);
  if (owner === undefined && wasManaged) return;
  throw new ForeignMachineError(vm.spec.biosUUID ?? "", namespace);
}

/** Writes the namespace on a machine of an earlier version. Once: a vCenter may drop keys that it does not know. */
export async function startMarking(
  { vcenter }: Session,
  { metadata }: VSphereVM,
  { machine, owner, marked }: Pick<MachineState, "machine" | "owner"> & Pick<VmScope, "marked">,
): Promise<ManagedObjectReference | undefined> {
  const { namespace = "", uid = "" } = metadata;
  if (owner === namespace || marked.has(uid)) return undefined;
  marked.add(uid);
  return reconfigureVirtualMachine(vcenter, machine, { extraConfig: { [ownerKey]: namespace } });
}
