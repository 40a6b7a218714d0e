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
import { BOOL, INT, opaqueType, STRING } from "../cel-type.ts";
import { CelError, NO_SUCH_OVERLOAD } from "../values/cel-error.ts";
import { Opaque } from "../values/opaque.ts";
import type { Value } from "../values/value.ts";
import { type FunctionDeclaration, type Implementation, member, overload } from "./declare.ts";

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

const ofIp = (read: (address: IpAddress) => Value): Implementation => {
  return ([value]) => read((value as CelIp).address);
};
const ofCidr = (read: (prefix: IpPrefix) => Value): Implementation => {
  return ([value]) => read((value as CelCidr).prefix);
};

const containsIp: Implementation = ([cidr, other]) => {
  const ip = typeof other === "string" ? toIp(other) : (other as CelIp);
  return ip instanceof CelError ? ip : prefixContains((cidr as CelCidr).prefix, ip.address);
};

const containsCidr: Implementation = ([cidr, other]) => {
  const inner = typeof other === "string" ? toCidr(other) : (other as CelCidr);
  if (inner instanceof CelError) return inner;
  return prefixContainsPrefix((cidr as CelCidr).prefix, inner.prefix);
};

const isCanonical: Implementation = ([text]) => {
  const ip = toIp(text as string);
  return ip instanceof CelError ? ip : formatIpAddress(ip.address) === text;
};

/** Tests of an address by its leading bits: [IPv4 value, IPv4 bits, IPv6 value, IPv6 bits]. */
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

function ipTest(
  name: string,
  id: string,
  test: (address: IpAddress) => boolean,
): FunctionDeclaration {
  return { name, overloads: [member([id, [IP], BOOL], ofIp(test))] };
}

/** Kubernetes' libraries of IP addresses and networks. */
export const ADDRESS_FUNCTIONS: readonly FunctionDeclaration[] = [
  {
    name: "ip",
    overloads: [
      overload(["string_to_ip", [STRING], IP], ([text]) => toIp(text as string)),
      member(
        ["cidr_ip", [CIDR], IP],
        ofCidr(({ address }) => new CelIp(address)),
      ),
    ],
  },
  {
    name: "family",
    overloads: [
      member(
        ["ip_family", [IP], INT],
        ofIp(({ family }) => BigInt(family)),
      ),
    ],
  },
  {
    name: "ip.isCanonical",
    overloads: [overload(["ip_is_canonical", [STRING], BOOL], isCanonical)],
  },
  ipTest("isUnspecified", "ip_is_unspecified", ({ value }) => value === 0n),
  ipTest("isLoopback", "ip_is_loopback", (address) => isIn(address, LOOPBACK)),
  ipTest("isLinkLocalMulticast", "ip_is_link_local_multicast", (address) =>
    isIn(address, LINK_LOCAL_MULTICAST),
  ),
  ipTest("isLinkLocalUnicast", "ip_is_link_local_unicast", (address) =>
    isIn(address, LINK_LOCAL_UNICAST),
  ),
  ipTest("isGlobalUnicast", "ip_is_global_unicast", isGlobalUnicast),
  {
    name: "isIP",
    overloads: [
      overload(["is_ip", [STRING], BOOL], ([text]) => toIp(text as string) instanceof CelIp),
    ],
  },
  {
    name: "cidr",
    overloads: [overload(["string_to_cidr", [STRING], CIDR], ([text]) => toCidr(text as string))],
  },
  {
    name: "isCIDR",
    overloads: [
      overload(["is_cidr", [STRING], BOOL], ([text]) => toCidr(text as string) instanceof CelCidr),
    ],
  },
  {
    name: "containsIP",
    overloads: [
      member(["cidr_contains_ip_string", [CIDR, STRING], BOOL], containsIp),
      member(["cidr_contains_ip_ip", [CIDR, IP], BOOL], containsIp),
    ],
  },
  {
    name: "containsCIDR",
    overloads: [
      member(["cidr_contains_cidr_string", [CIDR, STRING], BOOL], containsCidr),
      member(["cidr_contains_cidr", [CIDR, CIDR], BOOL], containsCidr),
    ],
  },
  {
    name: "prefixLength",
    overloads: [
      member(
        ["cidr_prefix_length", [CIDR], INT],
        ofCidr(({ bits }) => BigInt(bits)),
      ),
    ],
  },
  {
    name: "masked",
    overloads: [
      member(
        ["cidr_masked", [CIDR], CIDR],
        ofCidr((prefix) => new CelCidr(maskIpPrefix(prefix))),
      ),
    ],
  },
  {
    name: "string",
    overloads: [
      overload(["ip_to_string", [IP], STRING], ofIp(formatIpAddress)),
      overload(["cidr_to_string", [CIDR], STRING], ofCidr(formatIpPrefix)),
    ],
  },
];
