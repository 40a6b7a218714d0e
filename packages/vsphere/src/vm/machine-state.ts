import type { VSphereVM } from "@rookery/api";
import { ownerKey } from "../errors.ts";
import type { VCenter } from "../vim/connect.ts";
import { findVirtualMachineByUuid } from "../vim/inventory.ts";
import type { ManagedObjectReference } from "../vim/managed-object.ts";
import type { Properties } from "../vim/properties.ts";
import { readProperties } from "../vim/properties.ts";
import { childrenOf, textAt, textOf, type XmlNode } from "../vim/xml-reader.ts";

type NetworkStatus = NonNullable<NonNullable<VSphereVM["status"]>["network"]>[number];

/** The state of a virtual machine on its vCenter. */
export interface MachineState {
  readonly machine: ManagedObjectReference;
  readonly biosUuid: string;
  readonly isOn: boolean;
  /** Whether the guest can be asked to shut down. */
  readonly canShutDown: boolean;
  /** Such as "vmx-17". */
  readonly hardwareVersion: string;
  readonly devices: XmlNode | undefined;
  /** The addresses of the network cards, in the order of the hardware. */
  readonly macAddresses: readonly string[];
  /** The metadata that was written for the guest. */
  readonly metadata: string | undefined;
  /** The namespace of the machine; undefined for machines of others, or of earlier versions. */
  readonly owner: string | undefined;
  readonly network: readonly NetworkStatus[];
}

/** The properties that change when a machine is powered on or off, or its guest can be shut down. */
export const powerPaths = [
  "runtime.powerState",
  "guest.toolsRunningStatus",
  "guest.guestStateChangeSupported",
];
/** The properties that change when a machine is powered on or off, or gets an address. */
export const guestPaths = ["runtime.powerState", "guest.net"];
const paths = [
  ...powerPaths,
  "guest.net",
  "config.uuid",
  "config.version",
  "config.hardware.device",
  "config.extraConfig",
];

export interface FoundMachine {
  readonly machine: ManagedObjectReference;
  /** Whether the instance UUID of the machine is the uid of the object. */
  readonly isMadeForIt: boolean;
}

/**
 * Finds the machine of an object. Its instance UUID is the object's uid, so that it is found after a clone whose
 * task was lost, and never made twice; an adopted machine is found by its BIOS UUID.
 */
export async function findMachine(
  vcenter: VCenter,
  { metadata, spec }: VSphereVM,
): Promise<FoundMachine | undefined> {
  const instance = { uuid: metadata.uid ?? "", kind: "instance" } as const;
  const made = await findVirtualMachineByUuid(vcenter, instance);
  if (made) return { machine: made, isMadeForIt: true };
  if (!spec.biosUUID) return undefined;
  const named = await findVirtualMachineByUuid(vcenter, { uuid: spec.biosUUID, kind: "bios" });
  return named && { machine: named, isMadeForIt: false };
}

export async function readMachine(
  vcenter: VCenter,
  machine: ManagedObjectReference,
): Promise<MachineState> {
  const properties = await readProperties(vcenter, machine, paths);
  const devices = properties.get("config.hardware.device");
  const extraConfig = properties.get("config.extraConfig");
  return {
    machine,
    biosUuid: textOf(properties.get("config.uuid")) ?? "",
    hardwareVersion: textOf(properties.get("config.version")) ?? "",
    devices,
    macAddresses: childrenOf(devices, "VirtualDevice").flatMap(
      (device) => textAt(device, "macAddress") ?? [],
    ),
    metadata: optionIn(extraConfig, "guestinfo.metadata"),
    owner: optionIn(extraConfig, ownerKey),
    ...guestStateOf(properties),
  };
}

/** The value of a key of a virtual machine's further configuration. */
export function optionIn(extraConfig: XmlNode | undefined, key: string): string | undefined {
  const options = childrenOf(extraConfig, "OptionValue");
  return textAt(
    options.find((option) => textAt(option, "key") === key),
    "value",
  );
}

type GuestState = Pick<MachineState, "isOn" | "canShutDown" | "network">;

/** Reads the properties at `guestPaths` or `powerPaths`. */
export function guestStateOf(properties: Properties): GuestState {
  const text = (path: string) => textOf(properties.get(path));
  return {
    isOn: text("runtime.powerState") === "poweredOn",
    canShutDown:
      text("guest.toolsRunningStatus") === "guestToolsRunning" &&
      text("guest.guestStateChangeSupported") !== "false",
    network: networkOf(properties.get("guest.net")),
  };
}

function networkOf(guestNet: XmlNode | undefined): NetworkStatus[] {
  return childrenOf(guestNet, "GuestNicInfo").map((nic) => {
    const networkName = textAt(nic, "network");
    return {
      macAddr: textAt(nic, "macAddress") ?? "",
      connected: textAt(nic, "connected") === "true",
      ipAddrs: childrenOf(nic, "ipAddress").map((address) => textOf(address) ?? ""),
      ...(networkName && { networkName }),
    };
  });
}

/** The addresses that others can reach: all but those that are valid on one link only. */
export function addressesOf(network: readonly NetworkStatus[]): string[] {
  return network
    .flatMap(({ ipAddrs = [] }) => ipAddrs)
    .filter((address) => !/^(fe80:|169\.254\.)/i.test(address));
}
