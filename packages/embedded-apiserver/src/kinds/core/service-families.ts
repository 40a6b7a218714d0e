import type { Service, ServiceSpec } from "@rookery/api";
import { FieldError, fieldPath, invalidError } from "@rookery/kube";
import { parseLegacyIp } from "@rookery/schema";
import { isSameValue } from "../meta/field-rules.ts";
import { check } from "../meta/rules.ts";
import { clusterIps } from "./service-addresses-rules.ts";
import { hasItems, isHeadless, specOf } from "./service-types.ts";

export type IpFamily = "IPv4" | "IPv6";

const path = fieldPath("spec");

function familyOf(ip: string): IpFamily {
  return parseLegacyIp(ip)?.family === 6 ? "IPv6" : "IPv4";
}

/**
 * Fills in the families of a Service on a cluster that has one (Go: initIPFamilyFields). Throws an
 * Invalid Status where it asks for another one, before any other validation, as Kubernetes does.
 */
export function fillFamilies(service: Service, old: Service | undefined, own: IpFamily): void {
  const spec = specOf(service);
  if (spec.type === "ExternalName" || isKeptDual(spec, old?.spec)) return;
  spec.ipFamilyPolicy ??= old?.spec?.ipFamilyPolicy ?? defaultPolicy(spec);
  refuse(service, check(clusterIps, spec, { path, old: old?.spec }));
  refuse(service, [...policyProblems(spec), ...addressFamilies(spec, own)]);
  if (isWithoutSelector(spec)) {
    fillHeadlessFamilies(spec, own);
    return;
  }
  refuse(service, familyProblems(spec, own));
  if (!hasItems(spec.ipFamilies)) spec.ipFamilies = [own];
}

function refuse({ metadata }: Service, problems: readonly FieldError[]): void {
  if (problems.length === 0) return;
  throw invalidError({ group: "", kind: "Service" }, metadata?.name ?? "", problems);
}

/** An unchanged Service that prefers two families stays as it is. */
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

function policyProblems(spec: ServiceSpec): FieldError[] {
  if (spec.ipFamilyPolicy !== "SingleStack") return [];
  const prefix = "must be 'RequireDualStack' or 'PreferDualStack' when multiple";
  const at = path.child("ipFamilyPolicy");
  return [
    ...(spec.clusterIPs?.length === 2
      ? [FieldError.invalid(at, spec.ipFamilyPolicy, `${prefix} cluster IPs are specified`)]
      : []),
    ...(spec.ipFamilies?.length === 2
      ? [FieldError.invalid(at, spec.ipFamilyPolicy, `${prefix} IP families are specified`)]
      : []),
  ];
}

/** Families that the client does not set come from the addresses. */
function addressFamilies(spec: ServiceSpec, own: IpFamily): FieldError[] {
  const { clusterIPs = [] } = spec;
  if (isHeadless(spec)) return [];
  return clusterIPs.flatMap((ip, i) => {
    const family = familyOf(ip);
    if (i < (spec.ipFamilies ?? []).length) return [];
    if (family === own) {
      spec.ipFamilies = [...(spec.ipFamilies ?? []), family];
      return [];
    }
    const detail = `${family} is not configured on this cluster`;
    return [FieldError.invalid(path.child("clusterIPs").index(i), clusterIPs, detail)];
  });
}

/** Its endpoints are made by someone else, and may have any family. */
function fillHeadlessFamilies(spec: ServiceSpec, own: IpFamily): void {
  const [first = own, ...others] = (spec.ipFamilies ?? []) as IpFamily[];
  const isSingle = spec.ipFamilyPolicy === "SingleStack" || others.length > 0;
  spec.ipFamilies = isSingle ? [first, ...others] : [first, first === "IPv4" ? "IPv6" : "IPv4"];
}

function familyProblems(spec: ServiceSpec, own: IpFamily): FieldError[] {
  const dual = "this cluster is not configured for dual-stack services";
  const at = path.child("ipFamilyPolicy");
  return [
    ...(spec.ipFamilyPolicy === "RequireDualStack"
      ? [FieldError.invalid(at, spec.ipFamilyPolicy, dual)]
      : []),
    ...(spec.ipFamilies ?? []).flatMap((family, i) =>
      family === own
        ? []
        : [
            FieldError.invalid(
              path.child("ipFamilies").index(i),
              family,
              "not configured on this cluster",
            ),
          ],
    ),
  ];
}
