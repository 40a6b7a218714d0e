import type { VSphereVM } from "@rookery/api";
import type { ManagedObjectReference } from "../vim/managed-object.ts";
import { storagePolicy } from "../vim/virtual-machine.ts";
import { childOf, childrenOf, textAt, typeOf, type XmlNode } from "../vim/xml-reader.ts";
import { data, reference, serializeNode, value } from "../vim/xml-writer.ts";

/** The size of a virtual machine whose spec has none, as in the upstream provider. */
export const defaultSize = { numCPUs: 2, memoryMiB: 2048 };

/** A network that a device is connected to, as its type asks for it. */
export interface NetworkBacking {
  readonly network: ManagedObjectReference;
  readonly name: string;
  /** The port of a distributed port group. */
  readonly port?: { readonly switchUuid: string; readonly portgroupKey: string };
}

const ethernetTypes =
  /^Virtual(Vmxnet[23]?|Vmxnet3Vrdma|E1000e?|PCNet32|SriovEthernetCard|EthernetCard)$/;

/** Changes that take away the network cards of a template, and add those of a spec. */
export function networkChanges(
  templateDevices: XmlNode | undefined,
  spec: VSphereVM["spec"],
  backings: readonly NetworkBacking[],
): string[] {
  const cards = devicesIn(templateDevices).filter((one) => ethernetTypes.test(typeOf(one) ?? ""));
  const removed = cards.map((card) =>
    change("remove", data("device", [value("key", textAt(card, "key"))], typeOf(card))),
  );
  const added = backings.map((backing, index) => {
    const macAddress = spec.network.devices[index]?.macAddr;
    return change("add", cardFor(backing, -100 - index, macAddress));
  });
  return [...removed, ...added];
}

/** Changes that grow the disks of a template to the sizes of a spec; disks never shrink. */
export function diskChanges(
  templateDevices: XmlNode | undefined,
  { diskGiB, additionalDisksGiB = [] }: VSphereVM["spec"],
): string[] {
  const disks = disksIn(templateDevices);
  return [diskGiB, ...additionalDisksGiB].flatMap((size, index) => {
    const disk = disks[index];
    const wantedKiB = (size ?? 0) * 1024 * 1024;
    if (disk === undefined || wantedKiB <= Number(textAt(disk, "capacityInKB"))) return [];
    return [change("edit", diskOf(disk, wantedKiB))];
  });
}

/** Changes that bring all disks under a storage policy. */
export function storagePolicyChanges(devices: XmlNode | undefined, policyId: string): string[] {
  return disksIn(devices).map((disk) =>
    change("edit", diskOf(disk), storagePolicy("profile", policyId)),
  );
}

function disksIn(devices: XmlNode | undefined): readonly XmlNode[] {
  return devicesIn(devices).filter((one) => typeOf(one) === "VirtualDisk");
}

function devicesIn(devices: XmlNode | undefined): readonly XmlNode[] {
  return childrenOf(devices, "VirtualDevice");
}

function change(operation: "add" | "remove" | "edit", device: string, profile?: string): string {
  const children = [value("operation", operation), device, profile];
  return data("deviceChange", children, "VirtualDeviceConfigSpec");
}

function cardFor(backing: NetworkBacking, key: number, macAddress: string | undefined): string {
  const connectable = [
    value("startConnected", true),
    value("allowGuestControl", true),
    value("connected", true),
  ];
  return data(
    "device",
    [
      value("key", key),
      backingOf(backing),
      data("connectable", connectable),
      value("addressType", macAddress ? "manual" : "generated"),
      value("macAddress", macAddress),
    ],
    "VirtualVmxnet3",
  );
}

function backingOf({ network, name, port }: NetworkBacking): string {
  if (port) {
    const { switchUuid, portgroupKey } = port;
    const connection = [value("switchUuid", switchUuid), value("portgroupKey", portgroupKey)];
    const type = "VirtualEthernetCardDistributedVirtualPortBackingInfo";
    return data("backing", [data("port", connection)], type);
  }
  const type = "VirtualEthernetCardNetworkBackingInfo";
  return data("backing", [value("deviceName", name), reference("network", network)], type);
}

/** Only the fields that identify a disk, and its size. */
function diskOf(disk: XmlNode, capacityInKB = Number(textAt(disk, "capacityInKB"))): string {
  const backing = childOf(disk, "backing");
  return data(
    "device",
    [
      value("key", textAt(disk, "key")),
      backing === undefined ? undefined : serializeNode("backing", backing),
      value("controllerKey", textAt(disk, "controllerKey")),
      value("unitNumber", textAt(disk, "unitNumber")),
      value("capacityInKB", capacityInKB),
      value("capacityInBytes", capacityInKB * 1024),
    ],
    "VirtualDisk",
  );
}
