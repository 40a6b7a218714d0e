import { UnexpectedAnswerError } from "../errors.ts";
import type { VCenter } from "./connect.ts";
import type { ManagedObjectReference } from "./managed-object.ts";
import type { Call } from "./soap.ts";
import { referenceOf } from "./xml-reader.ts";
import { anyString, data, dataUnlessEmpty, reference, value, type Xml } from "./xml-writer.ts";

/** The configuration of a virtual machine; absent fields stay as they are. */
export interface VirtualMachineConfig {
  /** The instance's UUID, which the vCenter keeps unique. */
  readonly instanceUuid?: string;
  readonly annotation?: string;
  readonly numCPUs?: number;
  readonly numCoresPerSocket?: number;
  readonly memoryMiB?: number;
  /** Keys such as guestinfo.userdata. An empty value removes one. */
  readonly extraConfig?: Readonly<Record<string, string>>;
  /** The storage policy of the machine's home; that of disks is part of their changes. */
  readonly storagePolicyId?: string;
  /** Changes of devices, as pieces of XML of the schema's VirtualDeviceConfigSpec. */
  readonly deviceChanges?: readonly string[];
}

export interface CloneOptions {
  readonly source: ManagedObjectReference;
  readonly name: string;
  readonly folder: ManagedObjectReference;
  readonly pool: ManagedObjectReference;
  readonly datastore?: ManagedObjectReference;
  /** Linked clones share the disks of this snapshot; full ones copy them. */
  readonly linkedTo?: ManagedObjectReference;
  readonly config?: VirtualMachineConfig;
}

/** Each of these returns the task that does it: see `waitForTask`. */
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
    // Powered on once it is known under its UUID.
    value("powerOn", false),
    reference("snapshot", linkedTo),
  ]);
  const args = [reference("folder", folder), value("name", name), spec];
  return startTask(vcenter, {
    method: "CloneVM_Task",
    self: source,
    args,
    ...(signal && { signal }),
  });
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

/** Brings its virtual hardware to a version, such as "vmx-17"; it must be powered off. */
export function upgradeHardware(
  vcenter: VCenter,
  machine: ManagedObjectReference,
  version: string,
) {
  const args = [value("version", version)];
  return startTask(vcenter, { method: "UpgradeVM_Task", self: machine, args });
}

/** Deletes it with its disks. The vCenter refuses while it is powered on. */
export function destroy(vcenter: VCenter, machine: ManagedObjectReference) {
  return startTask(vcenter, { method: "Destroy_Task", self: machine });
}

/** Asks the guest to shut down; returns before it has. */
export async function shutdownGuest(
  vcenter: VCenter,
  machine: ManagedObjectReference,
): Promise<void> {
  await vcenter.call({ method: "ShutdownGuest", self: machine });
}

async function startTask(vcenter: VCenter, call: Call): Promise<ManagedObjectReference> {
  const task = referenceOf(await vcenter.call(call));
  if (!task) throw new UnexpectedAnswerError(call.method, "it has no task");
  return task;
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
