import type { Service, ServiceSpec } from "@rookery/api";
import { type FieldError, fieldPath, invalidError } from "@rookery/kube";
import { parseLegacyIp } from "@rookery/schema";
import type { Field } from "../meta/field.ts";
import { isSameValue } from "../meta/field-rules.ts";
import { check, type Rule } from "../meta/rules.ts";
import { clusterIps } from "./service-addresses-rules.ts";
import { hasItems, isHeadless, specOf } from "./service-types.ts";

export type IpFamily = "IPv4" | "IPv6";

const path = fieldPath("spec");

function familyOf(ip: string): IpFamily {
  return parseLegacyIp(ip)?.family === 6 ? "IPv6" : "IPv4";
}

/**
 * Sets the families of a Service on a single-stack cluster (Go: initIPFamilyFields). Throws an Invalid
 * Status for any other family before all other validation, like Kubernetes.
 */
export function fillFamilies(service: Service, old: Service | undefined, own: IpFamily): void {
  const spec = specOf(service);
  if (spec.type === "ExternalName" || isKeptDual(spec, old?.spec)) return;
  spec.ipFamilyPolicy ??= old?.spec?.ipFamilyPolicy ?? defaultPolicy(spec);
  const validate = (rule: Rule<ServiceSpec>) =>
    assertNone(service, check(rule, spec, { path, old: old?.spec }));
  validate(clusterIps);
  validate((_spec, field) => {
    singleStack(spec, field);
    addressFamilies(spec, own, field);
  });
  if (isWithoutSelector(spec)) {
    fillHeadlessFamilies(spec, own);
    return;
  }
  validate((_spec, field) => families(spec, own, field));
  if (!hasItems(spec.ipFamilies)) spec.ipFamilies = [own];
}

function assertNone({ metadata }: Service, problems: readonly FieldError[]): void {
  if (problems.length === 0) return;
  throw invalidError({ group: "", kind: "Service" }, metadata?.name ?? "", problems);
}

/** An unchanged Service that prefers two families keeps them. */
function isKeptDual(spec: ServiceSpec, old: ServiceSpec | undefined): boolean {
  return (
    old !== undefined &&
    spec.type === old.type &&
    spec.ipFamilyPolicy === "PreferDualStack" &&
    (old.ipFamilyPolicy ?? "PreferDualStack") === "PreferDualStack" &&
    isSameValue(spec.clusterIPs, old.clusterIPs) &&
    isSameValue(spec.ipFamilies, old.ipFamilies)
  );
}

function isWithoutSelector(spec: ServiceSpec): boolean {
  return spec.clusterIP === "None" && Object.keys(spec.selector ?? {}).length === 0;
}

function defaultPolicy(spec: ServiceSpec): string {
  return isWithoutSelector(spec) ? "RequireDualStack" : "SingleStack";
}

function singleStack(
  { ipFamilyPolicy: policy, clusterIPs, ipFamilies }: ServiceSpec,
  field: Field,
) {
  if (policy !== "SingleStack") return;
  const prefix = "must be 'RequireDualStack' or 'PreferDualStack' when multiple";
  const at = field.child("ipFamilyPolicy");
  if (clusterIPs?.length === 2) at.invalid(policy, `${prefix} cluster IPs are specified`);
  if (ipFamilies?.length === 2) at.invalid(policy, `${prefix} IP families are specified`);
}

/** Derives absent families from the addresses. */
function addressFamilies(spec: ServiceSpec, own: IpFamily, field: Field): void {
  const { clusterIPs = [] } = spec;
  if (isHeadless(spec)) return;
  clusterIPs.forEach((ip, i) => {
    const family = familyOf(ip);
    if (i < (spec.ipFamilies ?? []).length) return;
    if (family === own) spec.ipFamilies = [...(spec.ipFamilies ?? []), family];
    else {
      const detail = `${family} is not configured on this cluster`;
      field.child("clusterIPs").index(i).invalid(clusterIPs, detail);
    }
  });
}

/** The endpoints of such a Service may have any family. */
function fillHeadlessFamilies(spec: ServiceSpec, own: IpFamily): void {
  const [first = own, ...others] = (spec.ipFamilies ?? []) as IpFamily[];
  const isSingle = spec.ipFamilyPolicy === "SingleStack" || others.length > 0;
  spec.ipFamilies = isSingle ? [first, ...others] : [first, first === "IPv4" ? "IPv6" : "IPv4"];
}

function families(spec: ServiceSpec, own: IpFamily, field: Field): void {
  const dual = "this cluster is not configured for dual-stack services";
  if (spec.ipFamilyPolicy === "RequireDualStack") {
    field.child("ipFamilyPolicy").invalid(spec.ipFamilyPolicy, dual);
  }
  spec.ipFamilies?.forEach((family, i) => {
    const at = field.child("ipFamilies").index(i);
    if (family !== own) at.invalid(family, "not configured on this cluster");
  });
}
