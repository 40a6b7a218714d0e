import { isIP } from "node:net";
import { networkInterfaces } from "node:os";
import { formatIpAddress, parseIpPrefix } from "@rookery/schema";

export interface HostOptions {
  readonly address: string;
  /** The first address of the Service range. */
  readonly serviceIp: string;
  readonly tlsSans: readonly string[];
}

const clusterNames = [
  "localhost",
  "kubernetes",
  "kubernetes.default",
  "kubernetes.default.svc",
  "kubernetes.default.svc.cluster.local",
];

/** The names of the serving certificate. */
export function servingHosts({ address, serviceIp, tlsSans }: HostOptions): readonly string[] {
  const own = isAny(address) ? machineAddresses() : [address];
  return [...new Set([...clusterNames, "127.0.0.1", "::1", serviceIp, ...own, ...tlsSans])];
}

/** The host that local clients use for a listen address. */
export function reachableHost(address: string): string {
  const host = isAny(address) ? "127.0.0.1" : address;
  return isIP(host) === 6 ? `[${host}]` : host;
}

/** The address that other machines use for a listen address. */
export function advertisedAddress(address: string): string {
  if (!isAny(address)) return address;
  const family = address === "::" ? 6 : 4;
  const isOwn = (own: string) => isIP(own) === family && !own.startsWith("127.") && own !== "::1";
  return machineAddresses().find(isOwn) ?? "127.0.0.1";
}

function isAny(address: string): boolean {
  return address === "0.0.0.0" || address === "::";
}

function machineAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all.map(({ address }) => address).filter((address) => !address.startsWith("fe80:"));
}

/** The address of the Service "kubernetes". Throws for an invalid range. */
export function firstServiceAddress(cidr: string): string {
  const prefix = parseIpPrefix(cidr);
  const size = prefix.address.family === 4 ? 32 : 128;
  const host = BigInt(size - prefix.bits);
  const network = (prefix.address.value >> host) << host;
  return formatIpAddress({ ...prefix.address, value: network + 1n });
}
