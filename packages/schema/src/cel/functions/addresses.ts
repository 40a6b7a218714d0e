import { messageOf } from "@rookery/errors";
import { quote } from "@rookery/kube";
import {
  formatIpAddress,
  type IpAddress,
  isIpv4Mapped,
  parseIpAddress,
} from "../../net/ip-address.ts";
import {
  addressBits,
  formatIpPrefix,
  type IpPrefix,
  maskIpPrefix,
  parseIpPrefix,
  prefixContains,
  prefixContainsPrefix,
} from "../../net/ip-prefix.ts";
import { opaqueType } from "../cel-type.ts";
import { CelError, NO_SUCH_OVERLOAD, Opaque, type Value } from "../values/value.ts";
import { declareFunctions, type FunctionDeclaration } from "./declare.ts";

export const IP = opaqueType("net.IP");
export const CIDR = opaqueType("net.CIDR");

class CelIp extends Opaque {
  readonly type = IP;
  readonly address: IpAddress;

  constructor(address: IpAddress) {
    super();
    this.address = address;
  }

  equals(other: Value): boolean | CelError {
    if (!(other instanceof CelIp)) return NO_SUCH_OVERLOAD;
    return formatIpAddress(this.address) === formatIpAddress(other.address);
  }

  override get size(): number {
    return addressBits(this.address) / 8;
  }
}

class CelCidr extends Opaque {
  readonly type = CIDR;
  readonly prefix: IpPrefix;

  constructor(prefix: IpPrefix) {
    super();
    this.prefix = prefix;
  }

  equals(other: Value): boolean | CelError {
    if (!(other instanceof CelCidr)) return NO_SUCH_OVERLOAD;
    return formatIpPrefix(this.prefix) === formatIpPrefix(other.prefix);
  }

  override get size(): number {
    return Math.ceil(this.prefix.bits / 8);
  }
}

function toIp(text: string): CelIp | CelError {
  try {
    const address = parseIpAddress(text);
    if (address.zone !== "")
      return refuse(`IP address ${quote(text)} with zone value is not allowed`);
    if (isIpv4Mapped(address)) return refuse(mapped(text));
    return new CelIp(address);
  } catch (error) {
    return refuse(
      `IP Address ${quote(text)} parse error during conversion from string: ${messageOf(error)}`,
    );
  }
}

function toCidr(text: string): CelCidr | CelError {
  const problem = "network address parse error during conversion from string: ";
  try {
    const prefix = parseIpPrefix(text);
    return isIpv4Mapped(prefix.address) ? refuse(problem + mapped(text)) : new CelCidr(prefix);
  } catch (error) {
    return refuse(`${problem}${problem}${messageOf(error)}`);
  }
}

function mapped(text: string): string {
  return `IPv4-mapped IPv6 address ${quote(text)} is not allowed`;
}

function refuse(message: string): CelError {
  return new CelError(message);
}

function containsIp([cidr, other]: [CelCidr, CelIp | string]): Value {
  const ip = typeof other === "string" ? toIp(other) : other;
  return ip instanceof CelError ? ip : prefixContains(cidr.prefix, ip.address);
}

function containsCidr([cidr, other]: [CelCidr, CelCidr | string]): Value {
  const inner = typeof other === "string" ? toCidr(other) : other;
  return inner instanceof CelError ? inner : prefixContainsPrefix(cidr.prefix, inner.prefix);
}

function isCanonical([text]: [string]): Value {
  const ip = toIp(text);
  return ip instanceof CelError ? ip : formatIpAddress(ip.address) === text;
}

/** An address range by leading bits: [IPv4 value, IPv4 bits, IPv6 value, IPv6 bits]. */
type Range = readonly [bigint, number, bigint, number];
const LOOPBACK: Range = [127n, 8, 1n, 128];
const LINK_LOCAL_MULTICAST: Range = [0xe00000n, 24, 0xff02n, 16];
const LINK_LOCAL_UNICAST: Range = [0xa9fen, 16, 0xfe80n >> 6n, 10];
const MULTICAST: Range = [0xen, 4, 0xffn, 8];

function isIn({ family, value }: IpAddress, [v4, bits4, v6, bits6]: Range): boolean {
  return family === 4 ? value >> BigInt(32 - bits4) === v4 : value >> BigInt(128 - bits6) === v6;
}

function isGlobalUnicast(address: IpAddress): boolean {
  if (address.value === 0n || (address.family === 4 && address.value === 0xffffffffn)) return false;
  return ![LOOPBACK, MULTICAST, LINK_LOCAL_UNICAST].some((range) => isIn(address, range));
}

const isInRange = (range: Range) => {
  return ([{ address }]: [CelIp]): boolean => isIn(address, range);
};

/** Kubernetes' libraries of IP addresses and networks. */
export const ADDRESS_FUNCTIONS: readonly FunctionDeclaration[] = declareFunctions(
  {
    ip: {
      "string_to_ip: (string) -> IP": ([text]: [string]) => toIp(text),
      "cidr_ip: CIDR.() -> IP": ([{ prefix }]: [CelCidr]) => new CelIp(prefix.address),
    },
    family: {
      "ip_family: IP.() -> int": ([{ address }]: [CelIp]) => BigInt(address.family),
    },
    "ip.isCanonical": { "ip_is_canonical: (string) -> bool": isCanonical },
    isUnspecified: {
      "ip_is_unspecified: IP.() -> bool": ([{ address }]: [CelIp]) => address.value === 0n,
    },
    isLoopback: { "ip_is_loopback: IP.() -> bool": isInRange(LOOPBACK) },
    isLinkLocalMulticast: {
      "ip_is_link_local_multicast: IP.() -> bool": isInRange(LINK_LOCAL_MULTICAST),
    },
    isLinkLocalUnicast: {
      "ip_is_link_local_unicast: IP.() -> bool": isInRange(LINK_LOCAL_UNICAST),
    },
    isGlobalUnicast: {
      "ip_is_global_unicast: IP.() -> bool": ([{ address }]: [CelIp]) => isGlobalUnicast(address),
    },
    isIP: { "is_ip: (string) -> bool": ([text]: [string]) => toIp(text) instanceof CelIp },
    cidr: { "string_to_cidr: (string) -> CIDR": ([text]: [string]) => toCidr(text) },
    isCIDR: { "is_cidr: (string) -> bool": ([text]: [string]) => toCidr(text) instanceof CelCidr },
    containsIP: {
      "cidr_contains_ip_string: CIDR.(string) -> bool": containsIp,
      "cidr_contains_ip_ip: CIDR.(IP) -> bool": containsIp,
    },
    containsCIDR: {
      "cidr_contains_cidr_string: CIDR.(string) -> bool": containsCidr,
      "cidr_contains_cidr: CIDR.(CIDR) -> bool": containsCidr,
    },
    prefixLength: {
      "cidr_prefix_length: CIDR.() -> int": ([{ prefix }]: [CelCidr]) => BigInt(prefix.bits),
    },
    masked: {
      "cidr_masked: CIDR.() -> CIDR": ([{ prefix }]: [CelCidr]) =>
        new CelCidr(maskIpPrefix(prefix)),
    },
    string: {
      "ip_to_string: (IP) -> string": ([{ address }]: [CelIp]) => formatIpAddress(address),
      "cidr_to_string: (CIDR) -> string": ([{ prefix }]: [CelCidr]) => formatIpPrefix(prefix),
    },
  },
  { IP, CIDR },
);
