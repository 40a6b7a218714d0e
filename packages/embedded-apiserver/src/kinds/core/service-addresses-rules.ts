import type { ServiceSpec } from "@rookery/api";
import { FieldError, fieldPath, repeatedPlaces } from "@rookery/kube";
import { parseLegacyIp } from "@rookery/schema";
import { validateSupported } from "../meta/field-rules.ts";
import { validateIp } from "../meta/ip.ts";
import { isHeadless, needsClusterIp } from "./service-types.ts";

const path = fieldPath("spec");
const ipsPath = path.child("clusterIPs");
const policies = ["PreferDualStack", "RequireDualStack", "SingleStack"];

/** Go: ValidateServiceClusterIPsRelatedFields. */
export function validateClusterIps(spec: ServiceSpec, old?: ServiceSpec): FieldError[] {
  if (!needsClusterIp(spec)) return [];
  const { clusterIPs = [], ipFamilies = [], ipFamilyPolicy } = spec;
  const addresses = validateAddresses(clusterIPs, old?.clusterIPs ?? []);
  const problems = [
    ...validateFirst(spec),
    ...validateFamilies(ipFamilies),
    ...(ipFamilyPolicy === undefined
      ? []
      : validateSupported(ipFamilyPolicy, policies, path.child("ipFamilyPolicy"))),
    ...addresses,
    ...(clusterIPs.length > 2
      ? [FieldError.invalid(ipsPath, clusterIPs, "may only hold up to 2 values")]
      : []),
  ];
  return addresses.length > 0 ? problems : [...problems, ...validateStacks(spec)];
}

function validateFirst({ clusterIP = "", clusterIPs = [] }: ServiceSpec): FieldError[] {
  if (clusterIP === "") {
    const detail = "must be empty when `clusterIP` is not specified";
    return clusterIPs.length === 0 ? [] : [FieldError.invalid(ipsPath, clusterIPs, detail)];
  }
  if (clusterIPs.length === 0) return [FieldError.required(ipsPath, "")];
  if (clusterIPs[0] === clusterIP) return [];
  return [FieldError.invalid(ipsPath, clusterIPs, "first value must match `clusterIP`")];
}

function validateFamilies(families: readonly string[]): FieldError[] {
  const at = path.child("ipFamilies");
  const repeated = repeatedPlaces(families);
  return families.flatMap((family, i) => [
    ...validateSupported(family, ["IPv4", "IPv6"], at.index(i)),
    ...(repeated.has(i) ? [FieldError.duplicate(at.index(i), family)] : []),
  ]);
}

function validateAddresses(ips: readonly string[], old: readonly string[]): FieldError[] {
  return ips.flatMap((ip, i) => {
    if (i > 0 || ip !== "None") return validateIp(ip, ipsPath.index(i), old);
    if (ips.length === 1) return [];
    return [FieldError.invalid(ipsPath, ips, "'None' must be the first and only value")];
  });
}

function validateStacks(spec: ServiceSpec): FieldError[] {
  const { clusterIPs = [], ipFamilies = [] } = spec;
  const families = clusterIPs.map((ip) => parseLegacyIp(ip)?.family);
  const isDual = families.includes(4) && families.includes(6);
  const problems =
    clusterIPs.length > 1 && !isDual
      ? [
          FieldError.invalid(
            ipsPath,
            clusterIPs,
            "may specify no more than one IP for each IP family",
          ),
        ]
      : [];
  if (isHeadless(spec)) return problems;
  const wrong = clusterIPs.flatMap((ip, i) => {
    const expected = ipFamilies[i];
    const actual = families[i] === 6 ? "IPv6" : "IPv4";
    if (expected === undefined || expected === actual) return [];
    if (expected !== "IPv4" && expected !== "IPv6") return [];
    const detail = `expected an ${expected} value as indicated by \`ipFamilies[${i}]\``;
    return [FieldError.invalid(ipsPath.index(i), ip, detail)];
  });
  return [...problems, ...wrong];
}

/** An address that was given is kept (Go: validateUpgradeDowngradeClusterIPs and …IPFamilies). */
export function validateAddressChange(spec: ServiceSpec, old: ServiceSpec): FieldError[] {
  if (!needsClusterIp(spec) || !needsClusterIp(old)) return [];
  return [...changedAddresses(spec, old), ...changedFamilies(spec, old)];
}

function changedAddresses(spec: ServiceSpec, old: ServiceSpec): FieldError[] {
  if (isHeadless(spec) && isHeadless(old)) return [];
  const { clusterIPs: ips = [] } = spec;
  const { clusterIPs: before = [] } = old;
  const changed = (i: number) =>
    FieldError.invalid(ipsPath.index(i), ips, "may not change once set");
  if (ips.length === before.length) {
    return before.flatMap((ip, i) => (ips[i] === ip ? [] : [changed(i)]));
  }
  if (ips.length === 0) {
    return [FieldError.invalid(ipsPath.index(0), ips, "primary clusterIP can not be unset")];
  }
  const problems = before.length > 0 && ips[0] !== before[0] ? [changed(0)] : [];
  const isReleased = before.length > ips.length && spec.ipFamilyPolicy !== "SingleStack";
  const detail = "must be set to 'SingleStack' when releasing the secondary clusterIP";
  const at = path.child("ipFamilyPolicy");
  return isReleased
    ? [...problems, FieldError.invalid(at, spec.ipFamilyPolicy ?? null, detail)]
    : problems;
}

function changedFamilies(spec: ServiceSpec, old: ServiceSpec): FieldError[] {
  if (isHeadless(spec) || isHeadless(old)) return [];
  const { ipFamilies: families = [] } = spec;
  const { ipFamilies: before = [] } = old;
  if (families.length !== before.length) return [];
  const at = path.child("ipFamilies").index(0);
  return before.flatMap((family, i) =>
    families[i] === family ? [] : [FieldError.invalid(at, families, "may not change once set")],
  );
}
