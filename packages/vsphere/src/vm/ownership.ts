import type { VSphereVM } from "@rookery/api";
import { ForeignMachineError, ownerKey } from "../errors.ts";
import type { Session } from "../sessions/session.ts";
import { formatReference, type ManagedObjectReference } from "../vim/managed-object.ts";
import { reconfigureVirtualMachine } from "../vim/virtual-machine.ts";
import type { FoundMachine, MachineState } from "./machine-state.ts";
import type { VmDependencies } from "./scope.ts";

/**
 * An account may see the machines of many namespaces, and whoever writes a VSphereVM chooses its UUID.
 * So a machine has the namespace that it was made for in its configuration, where no guest writes. One
 * from before has not: it is known by its uid, or by what the status says of it, which is ours alone.
 * Errors: ForeignMachineError.
 */
export function assertOwner(
  vm: VSphereVM,
  { machine, isMadeForIt, owner }: FoundMachine & Pick<MachineState, "owner">,
  { adoptsAny }: Pick<VmDependencies, "adoptsAny">,
): void {
  const { namespace = "" } = vm.metadata;
  if (isMadeForIt || owner === namespace || adoptsAny) return;
  const wasManaged = vm.status?.vmRef === formatReference(machine);
  if (owner === undefined && wasManaged) return;
  throw new ForeignMachineError(vm.spec.biosUUID ?? "", namespace);
}

/** Writes on a machine from before whose it is. Once: a vCenter may drop what it does not know. */
export async function startMarking(
  { vcenter }: Session,
  { metadata }: VSphereVM,
  {
    machine,
    owner,
    marked,
  }: Pick<MachineState, "machine" | "owner"> & Pick<VmDependencies, "marked">,
): Promise<ManagedObjectReference | undefined> {
  const { namespace = "", uid = "" } = metadata;
  if (owner === namespace || marked.has(uid)) return undefined;
  marked.add(uid);
  return reconfigureVirtualMachine(vcenter, machine, { extraConfig: { [ownerKey]: namespace } });
}
