import type { VCenter } from "./connect.ts";
import type { ManagedObjectReference } from "./managed-object.ts";
import { type Call, callForReference } from "./soap.ts";
import { anyString, data, dataUnlessEmpty, reference, value, type Xml } from "./xml-writer.ts";

/** The configuration of a virtual machine; absent fields are not changed. */
export interface VirtualMachineConfig {
  /** The UUID of the instance, unique on the vCenter. */
  readonly instanceUuid?: string;
  readonly annotation?: string;
  readonly numCPUs?: number;
  readonly numCoresPerSocket?: number;
  readonly memoryMiB?: number;
  /** Keys such as guestinfo.userdata. An empty value removes a key. */
  readonly extraConfig?: Readonly<Record<string, string>>;
  /** The storage policy of the machine's home; the policy of disks is part of their changes. */
  readonly storagePolicyId?: string;
  /** Changes of devices: XML of the schema's VirtualDeviceConfigSpec. */
  readonly deviceChanges?: readonly string[];
}

export interface CloneOptions {
  readonly source: ManagedObjectReference;
  readonly name: string;
  readonly folder: ManagedObjectReference;
  readonly pool: ManagedObjectReference;
  readonly datastore?: ManagedObjectReference;
  /** Linked clones share the disks of this snapshot; full clones copy the disks. */
  readonly linkedTo?: ManagedObjectReference;
  readonly config?: VirtualMachineConfig;
}

/** Starts a clone. This function and the following ones return the task. */
export function cloneVirtualMachine(
  vcenter: VCenter,
  options: CloneOptions,
  signal?: AbortSignal,
): Promise<ManagedObjectReference> {
  const { source, name, folder, linkedTo, config = {} } = options;
  const spec = data("spec", [
    relocateSpec(options),
    value("template", false),
    dataUnlessEmpty("config", configSpec(config)),
    // Powered on after it was found by its UUID.
    value("powerOn", false),
    reference("snapshot", linkedTo),
  ]);
  const args = [reference("folder", folder), value("name", name), spec];
  return startTask(vcenter, { method: "CloneVM_Task", self: source, args, signal });
}

export function reconfigureVirtualMachine(
  vcenter: VCenter,
  machine: ManagedObjectReference,
  config: VirtualMachineConfig,
): Promise<ManagedObjectReference> {
  const args = [data("spec", configSpec(config))];
  return startTask(vcenter, { method: "ReconfigVM_Task", self: machine, args });
}

export function powerOn(vcenter: VCenter, machine: ManagedObjectReference) {
  return startTask(vcenter, { method: "PowerOnVM_Task", self: machine });
}

export function powerOff(vcenter: VCenter, machine: ManagedObjectReference) {
  return startTask(vcenter, { method: "PowerOffVM_Task", self: machine });
}

/** Upgrades the virtual hardware to a version, such as "vmx-17". The machine must be powered off. */
export function upgradeHardware(
  vcenter: VCenter,
  machine: ManagedObjectReference,
  version: string,
) {
  const args = [value("version", version)];
  return startTask(vcenter, { method: "UpgradeVM_Task", self: machine, args });
}

/** Deletes a machine with its disks. The vCenter refuses that for a machine that is powered on. */
export function destroy(vcenter: VCenter, machine: ManagedObjectReference) {
  return startTask(vcenter, { method: "Destroy_Task", self: machine });
}

/** Starts a shutdown of the guest; returns before it is complete. */
export async function shutdownGuest(
  vcenter: VCenter,
  machine: ManagedObjectReference,
): Promise<void> {
  await vcenter.call({ method: "ShutdownGuest", self: machine });
}

function startTask(vcenter: VCenter, call: Call): Promise<ManagedObjectReference> {
  return callForReference(vcenter, "task", call);
}

function relocateSpec({ datastore, pool, linkedTo }: CloneOptions): string {
  const diskMoveType = linkedTo ? "createNewChildDiskBacking" : "moveAllDiskBackingsAndConsolidate";
  return data("location", [
    reference("datastore", datastore),
    value("diskMoveType", diskMoveType),
    reference("pool", pool),
  ]);
}

function configSpec(config: VirtualMachineConfig): Xml[] {
  return [
    value("instanceUuid", config.instanceUuid),
    value("annotation", config.annotation),
    value("numCPUs", config.numCPUs),
    value("numCoresPerSocket", config.numCoresPerSocket),
    value("memoryMB", config.memoryMiB),
    ...(config.deviceChanges ?? []),
    ...Object.entries(config.extraConfig ?? {}).map(([key, content]) =>
      data("extraConfig", [value("key", key), anyString("value", content)], "OptionValue"),
    ),
    config.storagePolicyId && storagePolicy("vmProfile", config.storagePolicyId),
  ];
}

/** A storage policy, as the schema's VirtualMachineProfileSpec. */
export function storagePolicy(name: string, id: string): string {
  return data(name, [value("profileId", id)], "VirtualMachineDefinedProfileSpec");
}
