import type { VSphereVM } from "@rookery/api";
import type { Session } from "../sessions/session.ts";
import type { ManagedObjectReference } from "../vim/managed-object.ts";
import { retrieveProperties } from "../vim/properties.ts";
import { cloneVirtualMachine, reconfigureVirtualMachine } from "../vim/virtual-machine.ts";
import { childOf, referenceOf, textOf } from "../vim/xml-reader.ts";
import { diskChanges, type NetworkBacking, networkChanges } from "./devices.ts";
import { guestInfoConfig } from "./guestinfo.ts";
import type { MachineState } from "./machine-state.ts";
import { Inventory } from "./placement.ts";
import { defaultSize } from "./size.ts";

/** Begins to clone the machine of an object; returns the task. Errors: PlacementError. */
export async function startClone(
  { vcenter }: Session,
  vm: VSphereVM,
  userdata: Uint8Array,
): Promise<ManagedObjectReference> {
  const { spec, metadata } = vm;
  const inventory = await Inventory.of(vcenter, spec);
  const placement = await inventory.place(spec);
  const [template] = await retrieveProperties(vcenter, [placement.template], {
    paths: ["config.hardware.device", "snapshot"],
  });
  const devices = template?.properties.get("config.hardware.device");
  const snapshot = referenceOf(childOf(template?.properties.get("snapshot"), "currentSnapshot"));
  const backings = await Promise.all(
    spec.network.devices.map(({ networkName }) => backingFor(vcenter, inventory, networkName)),
  );
  const { name = "", uid = "" } = metadata;
  const info = { userdata, hostname: name, devices: spec.network.devices };
  return cloneVirtualMachine(vcenter, {
    source: placement.template,
    name,
    ...placement,
    ...(snapshot && spec.cloneMode !== "fullClone" && { linkedTo: snapshot }),
    config: {
      instanceUuid: uid,
      numCPUs: spec.numCPUs ?? defaultSize.numCPUs,
      ...(spec.numCoresPerSocket !== undefined && { numCoresPerSocket: spec.numCoresPerSocket }),
      memoryMiB: spec.memoryMiB ?? defaultSize.memoryMiB,
      deviceChanges: [...networkChanges(devices, spec, backings), ...diskChanges(devices, spec)],
      extraConfig: { ...spec.customVMXKeys, ...guestInfoConfig(info) },
    },
  });
}

async function backingFor(
  vcenter: Session["vcenter"],
  inventory: Inventory,
  name: string,
): Promise<NetworkBacking> {
  const network = await inventory.network(name);
  if (network.type !== "DistributedVirtualPortgroup") return { network, name };
  const [group] = await retrieveProperties(vcenter, [network], {
    paths: ["key", "config.distributedVirtualSwitch"],
  });
  const dvs = referenceOf(group?.properties.get("config.distributedVirtualSwitch"));
  const [read] = dvs ? await retrieveProperties(vcenter, [dvs], { paths: ["uuid"] }) : [];
  const switchUuid = textOf(read?.properties.get("uuid")) ?? "";
  const portgroupKey = textOf(group?.properties.get("key")) ?? "";
  return { network, name, port: { switchUuid, portgroupKey } };
}

/**
 * Tells the guest which device is which, once the vCenter has given them addresses; returns the
 * task, or undefined where the guest knows.
 */
export async function startTellingGuest(
  { vcenter }: Session,
  vm: VSphereVM,
  state: MachineState & { readonly userdata: Uint8Array },
): Promise<ManagedObjectReference | undefined> {
  const { macAddresses, userdata } = state;
  const hostname = vm.metadata.name ?? "";
  const info = { userdata, hostname, devices: vm.spec.network.devices, macAddresses };
  const extraConfig = guestInfoConfig(info);
  if (state.metadata === extraConfig["guestinfo.metadata"]) return undefined;
  return reconfigureVirtualMachine(vcenter, state.machine, { extraConfig });
}
