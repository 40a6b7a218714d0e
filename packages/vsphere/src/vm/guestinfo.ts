import type { VSphereVM } from "@rookery/api";

/** The configuration that the guest reads when it starts: its data, its name and its network. */
export interface GuestInfo {
  /** The bootstrap data, as it is in its Secret; where it is absent, what the guest has stays. */
  readonly userdata: Uint8Array | undefined;
  readonly hostname: string;
  readonly network: VSphereVM["spec"]["network"];
  /** The addresses of the devices, in their order, once the vCenter has assigned them. */
  readonly macAddresses?: readonly string[];
}

/** As cloud-init's data source for VMware reads it. */
export function guestInfoConfig(info: GuestInfo): Record<string, string> {
  const { userdata } = info;
  return {
    ...(userdata && {
      "guestinfo.userdata": Buffer.from(userdata).toString("base64"),
      "guestinfo.userdata.encoding": "base64",
    }),
    "guestinfo.metadata": Buffer.from(metadataOf(info)).toString("base64"),
    "guestinfo.metadata.encoding": "base64",
  };
}

function metadataOf({ hostname, network, macAddresses = [] }: GuestInfo): string {
  const { devices } = network;
  return JSON.stringify({
    "instance-id": hostname,
    "local-hostname": hostname,
    "wait-on-network": {
      ipv4: devices.some(({ dhcp4 }) => dhcp4),
      ipv6: devices.some(({ dhcp6 }) => dhcp6),
    },
    network: networkConfigOf(network, macAddresses),
  });
}

type Network = VSphereVM["spec"]["network"];
type Device = Network["devices"][number];

/** Netplan's version 2, as cloud-init takes it; the devices are told apart by their MAC addresses. */
function networkConfigOf(
  { devices, routes = [] }: Network,
  macAddresses: readonly string[],
): object {
  const ethernets = devices.map((device, index) => [
    `id${index}`,
    ethernetOf(device, macAddresses[index]),
  ]);
  const config = { version: 2, ethernets: Object.fromEntries(ethernets) };
  return routes.length > 0 ? { ...config, routes } : config;
}

function ethernetOf(device: Device, macAddress: string | undefined): object {
  const { nameservers = [], searchDomains = [], routes = [] } = device;
  const hasDns = nameservers.length > 0 || searchDomains.length > 0;
  const allRoutes = [...gatewaysOf(device), ...routes];
  return {
    ...(macAddress && { match: { macaddress: macAddress } }),
    ...(device.deviceName && { "set-name": device.deviceName }),
    wakeonlan: true,
    dhcp4: device.dhcp4 ?? false,
    dhcp6: device.dhcp6 ?? false,
    ...(device.ipAddrs?.length && { addresses: device.ipAddrs }),
    ...(device.mtu !== undefined && { mtu: device.mtu }),
    ...(allRoutes.length > 0 && { routes: allRoutes }),
    ...(hasDns && { nameservers: { addresses: nameservers, search: searchDomains } }),
  };
}

function gatewaysOf({ gateway4, gateway6 }: Device): object[] {
  return [gateway4, gateway6].filter(Boolean).map((via) => ({ to: "default", via }));
}
