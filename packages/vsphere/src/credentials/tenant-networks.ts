import { BlockList, isIP } from "node:net";
import type { AddressRule } from "../vim/address-rule.ts";

/** A network that is open to the servers of tenants, and the open port. */
export interface TenantNetwork {
  readonly address: string;
  readonly prefix: number;
  readonly port: number | "any";
}

const httpsPort = 443;

/** Networks of this machine, its links and clouds, multicast, and addresses that embed others. */
const special: readonly string[] = [
  "0.0.0.0/8",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "224.0.0.0/4",
  "240.0.0.0/4",
  "100.100.100.200/32",
  "192.0.0.0/24",
  "::/96",
  "fe80::/10",
  "fec0::/10",
  "ff00::/8",
  "fd00:ec2::/32",
  "64:ff9b::/96",
  "64:ff9b:1::/48",
  "2001::/32",
  "2002::/16",
];

/** Reads "10.20.0.0/16", "10.20.0.0/16:8443" or "10.20.0.0/16:*"; undefined for other texts. */
export function parseTenantNetwork(text: string): TenantNetwork | undefined {
  const [, address = "", prefix = "", port = `${httpsPort}`] =
    /^([0-9a-fA-F.:]+)\/(\d{1,3})(?::(\d{1,5}|\*))?$/.exec(text) ?? [];
  const version = isIP(address);
  const longest = version === 4 ? 32 : 128;
  if (version === 0 || Number(prefix) > longest || Number(port) > 65_535) return undefined;
  return { address, prefix: Number(prefix), port: port === "*" ? "any" : Number(port) };
}

/**
 * The rule for the addresses of a tenant's server at a port; undefined if the port is closed. Without networks all
 * addresses but the special ones are open, at the default port.
 */
export function tenantAddressRule(
  port: number,
  networks: readonly TenantNetwork[],
  refused: readonly string[] = [],
): AddressRule | undefined {
  if (networks.length === 0) {
    const closed = blockListOf([...special, ...refused.map(singleAddress)].flatMap(toNetwork));
    return port === httpsPort ? (address) => !contains(closed, address) : undefined;
  }
  const fitting = networks.filter((one) => one.port === "any" || one.port === port);
  const open = blockListOf(fitting);
  return fitting.length > 0 ? (address) => contains(open, address) : undefined;
}

function toNetwork(text: string): TenantNetwork[] {
  const network = parseTenantNetwork(text);
  return network ? [network] : [];
}

const singleAddress = (address: string): string => `${address}/${isIP(address) === 4 ? 32 : 128}`;

function blockListOf(networks: readonly TenantNetwork[]): BlockList {
  const list = new BlockList();
  for (const { address, prefix } of networks) list.addSubnet(address, prefix, familyOf(address));
  return list;
}

/** An IPv4 address in the notation of IPv6 counts as IPv4. */
function contains(list: BlockList, address: string): boolean {
  return list.check(address, familyOf(address));
}

const familyOf = (address: string) => (isIP(address) === 4 ? "ipv4" : "ipv6");
