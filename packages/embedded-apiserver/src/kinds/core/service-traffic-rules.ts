import type { Service, ServiceSpec } from "@rookery/api";
import { forbiddenIf, oneOf, portNumber, qualifiedName, requiredIf } from "../meta/checks.ts";
import { optional, required } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";
import { immutableDetail } from "../meta/field-rules.ts";
import { legacyCidr, legacyCidrOr } from "../meta/ip.ts";
import type { Rules } from "../meta/rules.ts";
import { isExternallyAccessible, needsHealthCheck } from "./service-types.ts";

const rangesAnnotation = "service.beta.kubernetes.io/load-balancer-source-ranges";
const onlyBalanced = "may only be used when `type` is 'LoadBalancer'";
const trafficPolicy = oneOf("Cluster", "Local");
const neededPolicy = required(trafficPolicy);

/** Go: validateLoadBalancerSourceRanges, of the field or of its old annotation. */
export function sourceRanges({ spec = {}, metadata }: Service, field: Field): void {
  const { loadBalancerSourceRanges: ranges = [] } = spec;
  const isBalanced = spec.type === "LoadBalancer";
  const text = metadata?.annotations?.[rangesAnnotation];
  if (ranges.length > 0) {
    const { spec: old } = Object(field.old) as Service;
    const at = field.child("spec", "LoadBalancerSourceRanges");
    const known = (old?.loadBalancerSourceRanges ?? []).map((range) => range.trim());
    const cidrOrKnown = legacyCidrOr(known);
    if (!isBalanced) at.forbidden(onlyBalanced);
    ranges.forEach((range, i) => {
      cidrOrKnown(range.trim(), at.index(i));
    });
  } else if (text !== undefined) {
    const at = field.child("metadata", "annotations").key(rangesAnnotation);
    if (!isBalanced) at.forbidden(onlyBalanced);
    if (at.old === text || text.trim() === "") return;
    for (const range of text.trim().split(",")) legacyCidr(range.trim(), at);
  }
}

/** Go: validateLoadBalancerClassField, of a new Service. */
function newClass({ type, loadBalancerClass: own }: ServiceSpec, field: Field): void {
  const at = field.child("loadBalancerClass");
  if (own === undefined) return;
  if (type === "LoadBalancer") qualifiedName(own, at);
  else at.forbidden(onlyBalanced);
}

/** The same of a changed Service: the class of a load balancer is immutable. */
export function changedClass(spec: ServiceSpec, field: Field): void {
  const old = Object(field.old) as ServiceSpec;
  const at = field.child("loadBalancerClass");
  const isKeptType = spec.type === "LoadBalancer" && old.type === "LoadBalancer";
  if (isKeptType && old.loadBalancerClass !== spec.loadBalancerClass) {
    at.invalid(spec.loadBalancerClass ?? null, "may not change once set");
  }
  newClass(spec, field);
  const isMoved = old.healthCheckNodePort !== spec.healthCheckNodePort;
  if (!isMoved || !needsHealthCheck(old) || !needsHealthCheck(spec)) return;
  field.child("healthCheckNodePort").forbidden(immutableDetail);
}

function externalPolicy(spec: ServiceSpec, field: Field): void {
  const { externalTrafficPolicy: policy = "" } = spec;
  const at = field.child("externalTrafficPolicy");
  if (isExternallyAccessible(spec)) neededPolicy(policy, at);
  else if (policy !== "") {
    at.invalid(policy, "may only be set for externally-accessible services");
  }
}

/** A required port that is absent is allocated later. */
function healthCheck(spec: ServiceSpec, field: Field): void {
  const { healthCheckNodePort: port = 0 } = spec;
  const at = field.child("healthCheckNodePort");
  const detail =
    "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
  if (port === 0) return;
  if (needsHealthCheck(spec)) portNumber(port, at);
  else at.invalid(port, detail);
}

/** Rules of the fields for traffic. */
export const traffic: Rules<ServiceSpec> = [
  forbiddenIf(
    "allocateLoadBalancerNodePorts",
    ({ type, allocateLoadBalancerNodePorts: own }) => own !== undefined && type !== "LoadBalancer",
    onlyBalanced,
  ),
  newClass,
  externalPolicy,
  healthCheck,
  { internalTrafficPolicy: optional(trafficPolicy) },
  requiredIf("internalTrafficPolicy", ({ type = "", internalTrafficPolicy: policy }) => {
    return policy === undefined && ["NodePort", "LoadBalancer", "ClusterIP"].includes(type);
  }),
  {
    trafficDistribution: optional(oneOf("PreferClose", "PreferSameZone", "PreferSameNode")),
  },
];
