import type { VSphereVM } from "@rookery/api";
import { networkConfigOf } from "./network-config.ts";

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
