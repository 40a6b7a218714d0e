import type { Service, ServiceSpec } from "@rookery/api";
import { FieldError, fieldPath, validateQualifiedName } from "@rookery/kube";
import { invalidEach, validateChoice, validateSupported } from "../meta/field-rules.ts";
import { validatePortNumber } from "../meta/formats.ts";
import { validateCidr } from "../meta/ip.ts";
import { hasItems, isExternallyAccessible, needsHealthCheck } from "./service-types.ts";

const path = fieldPath("spec");
const rangesAnnotation = "service.beta.kubernetes.io/load-balancer-source-ranges";
const onlyBalanced = "may only be used when `type` is 'LoadBalancer'";
const distributions = ["PreferClose", "PreferSameZone", "PreferSameNode"];

/** How traffic reaches a Service. */
export function validateTraffic(service: Service, old?: Service): FieldError[] {
  const { spec = {} } = service;
  return [
    ...validateSourceRanges(service, old),
    ...validateAllocation(spec),
    ...validateBalancerClass(spec),
    ...validateExternalPolicy(spec),
    ...validateHealthCheck(spec),
    ...validateInternalPolicy(spec),
    ...(spec.trafficDistribution === undefined
      ? []
      : validateSupported(
          spec.trafficDistribution,
          distributions,
          path.child("trafficDistribution"),
        )),
  ];
}

function validateSourceRanges(service: Service, old?: Service): FieldError[] {
  const { spec = {}, metadata } = service;
  const isBalanced = spec.type === "LoadBalancer";
  if (hasItems(spec.loadBalancerSourceRanges)) {
    const at = path.child("LoadBalancerSourceRanges");
    const known = (old?.spec?.loadBalancerSourceRanges ?? []).map((range) => range.trim());
    return [
      ...(isBalanced ? [] : [FieldError.forbidden(at, onlyBalanced)]),
      ...(spec.loadBalancerSourceRanges ?? []).flatMap((range, i) =>
        validateCidr(range.trim(), at.index(i), known),
      ),
    ];
  }
  const text = metadata?.annotations?.[rangesAnnotation];
  if (text === undefined) return [];
  const at = fieldPath("metadata", "annotations").key(rangesAnnotation);
  const isKept = old?.metadata?.annotations?.[rangesAnnotation] === text;
  const ranges = isKept || text.trim() === "" ? [] : text.trim().split(",");
  return [
    ...(isBalanced ? [] : [FieldError.forbidden(at, onlyBalanced)]),
    ...ranges.flatMap((range) => validateCidr(range.trim(), at)),
  ];
}

function validateAllocation({ type, allocateLoadBalancerNodePorts: own }: ServiceSpec) {
  if (own === undefined || type === "LoadBalancer") return [];
  return [FieldError.forbidden(path.child("allocateLoadBalancerNodePorts"), onlyBalanced)];
}

/** A class stays as long as there is a load balancer. */
export function validateBalancerClass(spec: ServiceSpec, old?: ServiceSpec): FieldError[] {
  const { type, loadBalancerClass: own } = spec;
  const at = path.child("loadBalancerClass");
  const isKeptType = type === "LoadBalancer" && old?.type === "LoadBalancer";
  const changed =
    isKeptType && old.loadBalancerClass !== own
      ? [FieldError.invalid(at, own ?? null, "may not change once set")]
      : [];
  const moved =
    old !== undefined &&
    needsHealthCheck(old) &&
    needsHealthCheck(spec) &&
    old.healthCheckNodePort !== spec.healthCheckNodePort;
  const port = moved
    ? [FieldError.forbidden(path.child("healthCheckNodePort"), "field is immutable")]
    : [];
  if (own === undefined) return [...changed, ...port];
  const problems =
    type === "LoadBalancer"
      ? invalidEach(own, validateQualifiedName(own), at)
      : [FieldError.forbidden(at, onlyBalanced)];
  return [...changed, ...problems, ...port];
}

function validateExternalPolicy(spec: ServiceSpec): FieldError[] {
  const { externalTrafficPolicy: policy = "" } = spec;
  const at = path.child("externalTrafficPolicy");
  if (isExternallyAccessible(spec)) return validateChoice(policy, ["Cluster", "Local"], at);
  const detail = "may only be set for externally-accessible services";
  return policy === "" ? [] : [FieldError.invalid(at, policy, detail)];
}

/** One that is needed and not there is allocated before it is stored. */
function validateHealthCheck(spec: ServiceSpec): FieldError[] {
  const { healthCheckNodePort: port = 0 } = spec;
  const at = path.child("healthCheckNodePort");
  if (port === 0) return [];
  if (needsHealthCheck(spec)) return invalidEach(port, validatePortNumber(port), at);
  const detail =
    "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
  return [FieldError.invalid(at, port, detail)];
}

function validateInternalPolicy({ type, internalTrafficPolicy: policy }: ServiceSpec) {
  const at = path.child("internalTrafficPolicy");
  if (policy !== undefined) return validateSupported(policy, ["Cluster", "Local"], at);
  const isNeeded = ["NodePort", "LoadBalancer", "ClusterIP"].includes(type ?? "");
  return isNeeded ? [FieldError.required(at, "")] : [];
}
