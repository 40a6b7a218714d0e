import {
  FieldError,
  type FieldPath,
  quote,
  validateDns1123Label,
  validateDns1123Subdomain,
} from "@rookery/kube";
import { formatIpAddress, isIpv4Mapped, parseIpAddress, parseLegacyIp } from "@rookery/schema";
import { validateEndpointIp } from "../meta/endpoint-ip.ts";
import { validateIp } from "../meta/ip.ts";

interface AddressPaths {
  /** Of the list, to which problems of the family are put. */
  readonly list: FieldPath;
  readonly item: FieldPath;
}

/** What the addresses of a slice are. */
export interface SliceAddresses {
  readonly type: string;
  /** The loopback network of pods, where there is a node. */
  readonly podCidr?: string;
}

/** An address of a slice, by the type of the slice's addresses. */
export function validateAddress(
  address: string,
  { type, podCidr }: SliceAddresses,
  { list, item }: AddressPaths,
): FieldError[] {
  if (type === "FQDN") return validateDomainName(address, item);
  if (type !== "IPv4" && type !== "IPv6") return [];
  const problems = type === "IPv4" ? validateIp(address, item) : validateStrictIp(address, item);
  if (problems.length > 0) return problems;
  const isFamily = parseLegacyIp(address)?.family === (type === "IPv4" ? 4 : 6);
  return [
    ...(isFamily ? [] : [FieldError.invalid(list, address, `must be an ${type} address`)]),
    ...validateEndpointIp(address, item, podCidr),
  ];
}

/** An address in the one form that Kubernetes writes itself (Go: IsValidIP). */
function validateStrictIp(value: string, path: FieldPath): FieldError[] {
  const address = parseLegacyIp(value);
  if (address === undefined) return validateIp(value, path);
  const detail = strictProblem(value) ?? canonicalProblem(value, formatIpAddress(address));
  return detail === undefined ? [] : [FieldError.invalid(path, value, detail)];
}

function strictProblem(value: string): string | undefined {
  try {
    const isMapped = isIpv4Mapped(parseIpAddress(value));
    return isMapped ? "must not be an IPv4-mapped IPv6 address" : undefined;
  } catch {
    return "must not have leading 0s";
  }
}

function canonicalProblem(value: string, canonical: string): string | undefined {
  return value === canonical ? undefined : `must be in canonical form (${quote(canonical)})`;
}

/** Go: IsFullyQualifiedDomainName. */
function validateDomainName(value: string, path: FieldPath): FieldError[] {
  if (value === "") return [FieldError.required(path, "")];
  const name = value.endsWith(".") ? value.slice(0, -1) : value;
  const problems = validateDns1123Subdomain(name);
  if (problems.length > 0) return [FieldError.invalid(path, name, problems.join(","))];
  const labels = name.split(".");
  if (labels.length < 2) {
    const detail = "should be a domain with at least two segments separated by dots";
    return [FieldError.invalid(path, name, detail)];
  }
  const bad = labels.find((label) => validateDns1123Label(label).length > 0);
  if (bad === undefined) return [];
  return [FieldError.invalid(path, bad, validateDns1123Label(bad).join(","))];
}
