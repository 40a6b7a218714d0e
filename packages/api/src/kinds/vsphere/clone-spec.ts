import { list, map, object, set } from "../../declaration/collections.ts";
import { rule } from "../../declaration/field-type.ts";
import { optional, required } from "../../declaration/fields.ts";
import { boolean, duration, enumeration, integer, string } from "../../declaration/scalars.ts";

/** The last connection of an object. Only the manager writes the status. */
export const connection = object({
  server: required(string({ maxLength: 253 }), "The vCenter."),
  as: required(
    string({ maxLength: 600 }),
    "Whose account was used: Controller, or the kind, the name and the UID of the identity.",
  ),
  kept: optional(
    boolean(),
    "Whether the server is used only because it was used before servers had to be listed.",
  ),
});

const name = () => string({ minLength: 1, maxLength: 253 });
const size = () => integer({ format: "int32", minimum: 1 });

const route = object({
  to: required(string(), "The network that the route leads to, such as 10.0.0.0/8."),
  via: required(string(), "The address of the gateway."),
  metric: required(integer({ format: "int32" }), "The metric of the route."),
});

const device = object({
  networkName: required(name(), "The name of the vSphere network."),
  deviceName: optional(string(), "The name of the device in the guest."),
  dhcp4: optional(boolean(), "Whether an IPv4 address is taken from DHCP."),
  dhcp6: optional(boolean(), "Whether an IPv6 address is taken from DHCP."),
  gateway4: optional(string(), "The IPv4 gateway."),
  gateway6: optional(string(), "The IPv6 gateway."),
  ipAddrs: optional(list(string()), "Fixed addresses with the length of their prefix."),
  mtu: optional(integer({ format: "int64" }), "The size of packets."),
  macAddr: optional(string(), "The MAC address; made by vSphere by default."),
  nameservers: optional(list(string()), "Name servers."),
  routes: optional(list(route), "Further routes."),
  searchDomains: optional(list(string()), "Domains to look for names in."),
});

/** The fields for cloning a virtual machine, with the names of the original vSphere provider. */
export const cloneFields = {
  template: required(
    name(),
    "The template or virtual machine to clone: a name, an inventory path, or a UUID.",
  ),
  cloneMode: optional(
    enumeration("fullClone", "linkedClone"),
    "Whether disks are copied or shared. linkedClone needs a snapshot and falls back to fullClone " +
      "without one. linkedClone by default.",
  ),
  snapshot: optional(string(), "The snapshot that a linked clone shares the disks of."),
  server: optional(string({ maxLength: 253 }), "The vCenter. That of the cluster by default."),
  thumbprint: optional(
    string({ maxLength: 95 }),
    "The thumbprint of the vCenter's certificate. That of the cluster by default.",
  ),
  datacenter: optional(name(), "The datacenter. The only one by default."),
  folder: optional(name(), "The folder for the machine."),
  datastore: optional(name(), "The datastore for the machine's disks."),
  storagePolicyName: optional(name(), "The storage policy of the machine."),
  resourcePool: optional(name(), "The resource pool for the machine."),
  network: required(
    object({
      devices: required(list(device, { minItems: 1 }), "The network devices."),
      routes: optional(list(route), "Routes of the machine."),
      preferredAPIServerCidr: optional(
        string(),
        "The network that the address of the API server is taken from, of several.",
      ),
    }),
    "The network of the machine.",
  ),
  numCPUs: optional(size(), "How many virtual processors there are. 2 by default."),
  numCoresPerSocket: optional(size(), "How many cores each socket has."),
  memoryMiB: optional(
    integer({ format: "int64", minimum: 4 }),
    "How much memory there is. 2048 by default.",
  ),
  diskGiB: optional(size(), "The size of the first disk. That of the template by default."),
  additionalDisksGiB: optional(list(size()), "The sizes of further disks of the template."),
  customVMXKeys: optional(map(string()), "Further settings of the virtual machine."),
  tagIDs: optional(set(string()), "Identifiers of vSphere tags for the machine."),
  os: optional(enumeration("Linux", "Windows"), "The operating system; Linux by default."),
  hardwareVersion: optional(
    string({ pattern: "^vmx-[1-9][0-9]?$" }),
    "The version of the virtual hardware, such as vmx-17.",
  ),
};

/** How a machine is powered off before its deletion. */
export const powerOffFields = {
  powerOffMode: optional(
    enumeration("hard", "soft", "trySoft"),
    "How the machine is powered off: hard, by its guest, or by its guest and hard after a while. " +
      "hard by default.",
  ),
  guestSoftPowerOffTimeout: optional(
    duration(),
    "For how long the guest may take with trySoft. 5m by default.",
  ),
};

export const powerOffRule = rule(
  "!has(self.guestSoftPowerOffTimeout) || (has(self.powerOffMode) && self.powerOffMode == 'trySoft')",
  "guestSoftPowerOffTimeout only goes with powerOffMode trySoft",
);

/** Cluster API: MachineAddress. */
export const machineAddress = object({
  type: required(
    enumeration("Hostname", "ExternalIP", "InternalIP", "ExternalDNS", "InternalDNS"),
    "The type of the address.",
  ),
  address: required(string({ maxLength: 256 }), "The address."),
});

/** The state of a network device of a running machine. */
export const networkStatus = object({
  connected: optional(boolean(), "Whether it is connected."),
  ipAddrs: optional(list(string()), "Its addresses."),
  macAddr: required(string(), "Its MAC address."),
  networkName: optional(string(), "The name of its network."),
});
