import { quote, validateDns1123Label, validateDns1123Subdomain } from "@rookery/kube";
import { formatIpAddress, isIpv4Mapped, parseIpAddress, parseLegacyIp } from "@rookery/schema";
import { endpointIp } from "../meta/endpoint-ip.ts";
import type { Field } from "../meta/field.ts";
import { legacyIp } from "../meta/ip.ts";

/** The kind of addresses that a slice has. */
export interface SliceAddresses {
  readonly type: string;
  /** The loopback network of pods, where there is a node. */
  readonly podCidr?: string;
}

/** An address of a slice. One of the wrong family is reported at the list. */
export function sliceAddress(address: string, field: Field<SliceAddresses>): void {
  const { type, podCidr } = field.scope;
  if (type === "FQDN") domainName(address, field);
  if (type !== "IPv4" && type !== "IPv6") return;
  const before = field.errorCount;
  if (type === "IPv4") legacyIp(address, field);
  else strictIp(address, field);
  if (field.errorCount > before) return;
  const isFamily = parseLegacyIp(address)?.family === (type === "IPv4" ? 4 : 6);
  if (!isFamily) field.parent.invalid(address, `must be an ${type} address`);
  endpointIp(podCidr)(address, field);
}

/** Go: IsValidIP. An address in the one form that Kubernetes writes itself. */
function strictIp(value: string, field: Field): void {
  const address = parseLegacyIp(value);
  const detail =
    address && (strictProblem(value) ?? canonicalProblem(value, formatIpAddress(address)));
  legacyIp(value, field);
  if (detail !== undefined) field.invalid(value, detail);
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
function domainName(value: string, field: Field): void {
  const name = value.endsWith(".") ? value.slice(0, -1) : value;
  const labels = name.split(".");
  const problems = validateDns1123Subdomain(name);
  const bad = labels.find((label) => validateDns1123Label(label).length > 0);
  if (value === "") field.required();
  else if (problems.length > 0) field.invalid(name, problems.join(","));
  else if (labels.length < 2) {
    field.invalid(name, "should be a domain with at least two segments separated by dots");
  } else if (bad !== undefined) field.invalid(bad, validateDns1123Label(bad).join(","));
}
