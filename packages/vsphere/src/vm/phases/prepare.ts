import type { VSphereVM } from "@rookery/api";
import type { Outcome } from "@rookery/runtime";
import { attachTags } from "../../rest/rest-session.ts";
import type { Session } from "../../sessions/session.ts";
import type { ManagedObjectReference } from "../../vim/managed-object.ts";
import { powerOn, reconfigureVirtualMachine, upgradeHardware } from "../../vim/virtual-machine.ts";
import { storagePolicyChanges } from "../devices.ts";
import { guestInfoConfig } from "../guestinfo.ts";
import type { MachineState } from "../machine-state.ts";
import type { ConnectedScope } from "../scope.ts";
import { storagePolicyId } from "../storage.ts";
import { rememberTask } from "../tasks.ts";

type PreparedState = MachineState & { readonly userdata: Uint8Array | undefined };

/** Takes the next step before the machine runs, one task after the other, and powers it on at last. */
export async function prepareMachine(
  vm: VSphereVM,
  state: PreparedState,
  scope: ConnectedScope,
): Promise<Outcome<VSphereVM>> {
  const { session } = scope;
  const changing =
    (await startUpgrading(session, vm, state)) ?? (await startConfiguring(session, vm, state));
  if (changing) return rememberTask(vm, changing, scope);
  const { tagIDs = [] } = vm.spec;
  if (tagIDs.length > 0) await attachTags(session.rest, state.machine, tagIDs);
  return rememberTask(vm, await powerOn(session.vcenter, state.machine), scope);
}

/**
 * Writes the addresses of the network devices, which the vCenter has chosen, for the guest, and sets the storage
 * policy of the disks with the same task. Undefined where the configuration is written.
 */
async function startConfiguring(
  { vcenter }: Session,
  vm: VSphereVM,
  state: PreparedState,
): Promise<ManagedObjectReference | undefined> {
  const { macAddresses, userdata } = state;
  const hostname = vm.metadata.name ?? "";
  const extraConfig = guestInfoConfig({
    userdata,
    hostname,
    network: vm.spec.network,
    macAddresses,
  });
  if (state.metadata === extraConfig["guestinfo.metadata"]) return undefined;
  const policyId = await storagePolicyId(vcenter, vm.spec);
  return reconfigureVirtualMachine(vcenter, state.machine, {
    extraConfig,
    ...(policyId && {
      storagePolicyId: policyId,
      deviceChanges: storagePolicyChanges(state.devices, policyId),
    }),
  });
}

/** Upgrades the virtual hardware to the version of the spec; undefined where the version is not lower. */
async function startUpgrading(
  { vcenter }: Session,
  { spec: { hardwareVersion } }: VSphereVM,
  state: MachineState,
): Promise<ManagedObjectReference | undefined> {
  if (!hardwareVersion) return undefined;
  const isNew = versionNumber(state.hardwareVersion) >= versionNumber(hardwareVersion);
  return isNew ? undefined : upgradeHardware(vcenter, state.machine, hardwareVersion);
}

/** The number 17 of "vmx-17". */
function versionNumber(version: string): number {
  return Number(version.replace(/^vmx-0*/, ""));
}
