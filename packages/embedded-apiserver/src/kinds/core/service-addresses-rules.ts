import type { ServiceSpec } from "@rookery/api";
import { parseLegacyIp } from "@rookery/schema";
import { oneOf, unique } from "../meta/checks.ts";
import { each, optional } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";
import { legacyIpInList } from "../meta/ip.ts";
import { isHeadless, needsClusterIp } from "./service-types.ts";

const families = each<string>([oneOf("IPv4", "IPv6"), unique]);
const familyPolicy = optional(oneOf("PreferDualStack", "RequireDualStack", "SingleStack"));

/** Go: ValidateServiceClusterIPsRelatedFields. */
export function clusterIps(spec: ServiceSpec, field: Field): void {
  if (!needsClusterIp(spec)) return;
  const { clusterIPs: ips = [] } = spec;
  const at = field.child("clusterIPs");
  firstMatches(spec, at);
  families(spec.ipFamilies, field.child("ipFamilies"));
  familyPolicy(spec.ipFamilyPolicy, field.child("ipFamilyPolicy"));
  const before = field.errorCount;
  addresses(ips, at);
  const isReadable = field.errorCount === before;
  if (ips.length > 2) at.invalid(ips, "may only hold up to 2 values");
  if (isReadable) stacks(spec, at);
}

function firstMatches({ clusterIP = "", clusterIPs: ips = [] }: ServiceSpec, field: Field): void {
  if (clusterIP === "") {
    const detail = "must be empty when `clusterIP` is not specified";
    if (ips.length > 0) field.invalid(ips, detail);
  } else if (ips.length === 0) field.required();
  else if (ips[0] !== clusterIP) field.invalid(ips, "first value must match `clusterIP`");
}

function addresses(ips: readonly string[], field: Field): void {
  ips.forEach((ip, i) => {
    if (i > 0 || ip !== "None") legacyIpInList(ip, field.index(i));
    else if (ips.length > 1) field.invalid(ips, "'None' must be the first and only value");
  });
}

function stacks(spec: ServiceSpec, field: Field): void {
  const { clusterIPs: ips = [], ipFamilies = [] } = spec;
  const actual = ips.map((ip) => parseLegacyIp(ip)?.family);
  const isDual = actual.includes(4) && actual.includes(6);
  if (ips.length > 1 && !isDual) {
    field.invalid(ips, "may specify no more than one IP for each IP family");
  }
  if (isHeadless(spec)) return;
  ips.forEach((ip, i) => {
    const expected = ipFamilies[i];
    const isOther = expected !== (actual[i] === 6 ? "IPv6" : "IPv4");
    if (!isOther || (expected !== "IPv4" && expected !== "IPv6")) return;
    const detail = `expected an ${expected} value as indicated by \`ipFamilies[${i}]\``;
    field.index(i).invalid(ip, detail);
  });
}

/** Go: validateUpgradeDowngradeClusterIPs and …IPFamilies. */
export function addressChange(spec: ServiceSpec, field: Field): void {
  const old = Object(field.old) as ServiceSpec;
  if (!needsClusterIp(spec) || !needsClusterIp(old)) return;
  const [isNone, wasNone] = [isHeadless(spec), isHeadless(old)];
  if (!isNone || !wasNone) clusterIpChange(spec, old, field);
  if (!isNone && !wasNone) familyChange(spec, old, field.child("ipFamilies").index(0));
}

function clusterIpChange(spec: ServiceSpec, old: ServiceSpec, field: Field): void {
  const { clusterIPs: ips = [] } = spec;
  const { clusterIPs: before = [] } = old;
  const at = field.child("clusterIPs");
  const fixed = (i: number) => {
    if (ips[i] !== before[i]) at.index(i).invalid(ips, "may not change once set");
  };
  if (ips.length === before.length) for (const i of before.keys()) fixed(i);
  else if (ips.length === 0) at.index(0).invalid(ips, "primary clusterIP can not be unset");
  else {
    if (before.length > 0) fixed(0);
    if (before.length <= ips.length || spec.ipFamilyPolicy === "SingleStack") return;
    const detail = "must be set to 'SingleStack' when releasing the secondary clusterIP";
    field.child("ipFamilyPolicy").invalid(spec.ipFamilyPolicy ?? null, detail);
  }
}

function familyChange(spec: ServiceSpec, old: ServiceSpec, field: Field): void {
  const { ipFamilies: own = [] } = spec;
  const { ipFamilies: before = [] } = old;
  if (own.length !== before.length) return;
  before.forEach((family, i) => {
    if (own[i] !== family) field.invalid(own, "may not change once set");
  });
}
