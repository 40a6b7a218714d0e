import type { VSphereVM } from "@rookery/api";

type Network = VSphereVM["spec"]["network"];
type Device = Network["devices"][number];

/** Netplan's version 2, as cloud-init takes it; the devices are told apart by their MAC addresses. */
export function networkConfigOf(
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
