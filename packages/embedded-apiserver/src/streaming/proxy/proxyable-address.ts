import { BlockList, isIP } from "node:net";

const notGlobal = new BlockList();
notGlobal.addSubnet("127.0.0.0", 8, "ipv4");
notGlobal.addSubnet("169.254.0.0", 16, "ipv4");
notGlobal.addSubnet("224.0.0.0", 4, "ipv4");
notGlobal.addAddress("0.0.0.0", "ipv4");
notGlobal.addAddress("255.255.255.255", "ipv4");
notGlobal.addAddress("::", "ipv6");
notGlobal.addAddress("::1", "ipv6");
notGlobal.addSubnet("fe80::", 10, "ipv6");
notGlobal.addSubnet("ff00::", 8, "ipv6");

/** Where programs of this machine listen that are no pods. */
const ownLoopback = new BlockList();
ownLoopback.addSubnet("127.0.0.0", 16, "ipv4");

/** Whether Kubernetes hands requests on to an address: it is a global one. */
export function isGlobalAddress(address: string): boolean {
  const version = isIP(address);
  return version !== 0 && !notGlobal.check(address, version === 6 ? "ipv6" : "ipv4");
}

/** Whether it may be one of a pod: those of a node of processes are on the loopback. */
export function isPodAddress(address: string, hasNode: boolean): boolean {
  if (isGlobalAddress(address)) return true;
  return hasNode && /^127\./.test(address) && isIP(address) === 4 && !ownLoopback.check(address);
}
