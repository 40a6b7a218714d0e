import type { Service, ServicePort, ServiceSpec } from "@rookery/api";
import { validateDns1123Subdomain } from "@rookery/kube";
import { parseLegacyIp } from "@rookery/schema";
import {
  dns1123Label,
  dns1123Subdomain,
  forbidden,
  labels,
  oneOf,
  portNumber,
  qualifiedName,
  unique,
} from "../meta/checks.ts";
import { each, firstOf, optional, required, struct, unlessEmpty } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";
import { portNumberOrName } from "../meta/int-or-percent.ts";
import { goStruct } from "../meta/internal-form.ts";
import { endpointIp, legacyIpInList, legacyIpOr } from "../meta/ip.ts";
import { type Rule, type Rules, ruleOf, validator } from "../meta/rules.ts";
import { addressChange, clusterIps } from "./service-addresses-rules.ts";
import { changedClass, sourceRanges, traffic } from "./service-traffic-rules.ts";
import { hasItems, isHeadless } from "./service-types.ts";

const maxAffinitySeconds = 86_400;
const modeAnnotation = "service.kubernetes.io/topology-mode";
const hintsAnnotation = "service.kubernetes.io/topology-aware-hints";

function topologyAnnotations({ metadata }: Service, field: Field): void {
  const { annotations = {} } = metadata ?? {};
  const [mode, hints] = [annotations[modeAnnotation], annotations[hintsAnnotation]];
  if (mode === undefined || hints === undefined || mode === hints) return;
  const at = field.child("metadata", "annotations").key(modeAnnotation);
  at.invalid(mode, `must match annotations[${hintsAnnotation}] when both are specified`);
}

const notForNames = forbidden("may not be set for ExternalName services");
const externalName = ruleOf<ServiceSpec>({
  clusterIPs: notForNames,
  ipFamilies: notForNames,
  ipFamilyPolicy: notForNames,
  externalName: (text = "", field) => {
    const name = text.replace(/\.$/, "");
    if (name === "") field.required();
    else field.invalidEach(name, validateDns1123Subdomain(name));
  },
});

function byType(spec: ServiceSpec, field: Field): void {
  const { type, clusterIPs = [] } = spec;
  const isName = type === "ExternalName";
  if (!hasItems(spec.ports) && !isHeadless(spec) && !isName) field.child("ports").required();
  if (isName) externalName(spec, field);
  if ((type !== "LoadBalancer" && type !== "NodePort") || !isHeadless(spec)) return;
  const detail = `may not be set to 'None' for ${type} services`;
  field.child("clusterIPs").index(0).invalid(clusterIPs[0], detail);
}

const optionalName = unlessEmpty<string>([dns1123Label, unique]);
const neededName = required<string>([dns1123Label, unique]);

/** Each of several ports needs a name. */
const portName: Rule<string | undefined, ServiceSpec> = (name, field) => {
  const isOneOfMany = (field.scope.ports ?? []).length > 1;
  (isOneOfMany ? neededName : optionalName)(name, field);
};

const ports = each<ServicePort, ServiceSpec>({
  name: portName,
  port: portNumber,
  protocol: required(oneOf("SCTP", "TCP", "UDP")),
  targetPort: portNumberOrName,
  appProtocol: optional(qualifiedName),
});

function affinityTimeout(spec: ServiceSpec, field: Field): void {
  if (spec.sessionAffinity !== "ClientIP") return;
  const seconds = spec.sessionAffinityConfig?.clientIP?.timeoutSeconds ?? 0;
  if (seconds > 0 && seconds <= maxAffinitySeconds) return;
  const at = field.child("sessionAffinityConfig", "clientIP", "timeoutSeconds");
  at.invalid(seconds, `must be greater than 0 and less than ${maxAffinitySeconds}`);
}

const externalIps = each(firstOf<string>(legacyIpInList, endpointIp()));

/** A repeated node port is reported as allocated. */
function nodePorts({ type, ports = [] }: ServiceSpec, field: Field): void {
  const used = ports.flatMap((port, i) => (port.nodePort ? [{ ...port, i }] : []));
  const at = (i: number) => field.child("ports").index(i).child("nodePort");
  const before = new Map<unknown, { ports: Set<unknown>; protocols: Set<unknown> }>();
  if (type === "ClusterIP") {
    for (const { i } of used) at(i).forbidden("may not be used when `type` is 'ClusterIP'");
  }
  for (const { nodePort, protocol, port, i } of used) {
    const taken = before.get(nodePort) ?? { ports: new Set(), protocols: new Set() };
    const hasOthers = taken.ports.size > (taken.ports.has(port) ? 1 : 0);
    if (hasOthers && type !== "ClusterIP") {
      at(i).invalid(nodePort, "provided port is already allocated");
    } else if (taken.protocols.has(protocol)) at(i).duplicate(nodePort);
    taken.ports.add(port);
    taken.protocols.add(protocol);
    before.set(nodePort, taken);
  }
}

/** The error shows only the fields that have to be unique. */
const uniquePorts = each<ServicePort>(({ port, protocol }, field) => {
  if (!field.isRepeated(`${port}/${protocol}`)) return;
  field.duplicate(goStruct("ServicePort", { port: port ?? 0, protocol: protocol ?? "" }));
});

/** Go: validateService. */
const spec: Rules<ServiceSpec> = [
  byType,
  (own, field) => ports(own.ports, field.child("ports").withScope(own)),
  { selector: labels, sessionAffinity: required(oneOf("ClientIP", "None")) },
  affinityTimeout,
  clusterIps,
  {
    externalIPs: externalIps,
    type: required(oneOf("ClusterIP", "ExternalName", "LoadBalancer", "NodePort")),
  },
  nodePorts,
  { ports: uniquePorts },
];

const service: Rules<Service> = [
  topologyAnnotations,
  { spec: struct(spec) },
  sourceRanges,
  { spec: struct(traffic) },
];

export const validateService = validator(service);

/** Go: ValidateServiceUpdate, without the metadata. */
export const validateServiceUpdate = validator<Service>([
  { spec: struct<ServiceSpec>([addressChange, changedClass]) },
  service,
]);

interface Ingress {
  readonly ip?: string;
  readonly ipMode?: string;
}

const ipMode = oneOf("Proxy", "VIP");

function modeOfIp({ ip, ipMode: mode }: Ingress, field: Field): void {
  if (mode === undefined && ip) field.required("must be specified when `ip` is set");
  if (mode === undefined) return;
  if (ip) ipMode(mode, field);
  else field.forbidden("may not be specified when `ip` is not set");
}

const hostname = unlessEmpty<string>([
  dns1123Subdomain,
  (name, field) => {
    if (parseLegacyIp(name) !== undefined)
      field.invalid(name, "must be a DNS name, not an IP address");
  },
]);

/** Go: ValidateLoadBalancerStatus. */
export const validateServiceStatus = validator<Service>(({ spec, status }, field) => {
  const ingress = status?.loadBalancer?.ingress ?? [];
  const { status: old } = Object(field.old) as Service;
  const at = field.child("status", "loadBalancer", "ingress");
  if (spec?.type !== "LoadBalancer") {
    const detail = "may only be used when `spec.type` is 'LoadBalancer'";
    if (ingress.length > 0) at.forbidden(detail);
    return;
  }
  const known = (old?.loadBalancer?.ingress ?? []).flatMap(({ ip }) => (ip ? [ip] : []));
  const ipOrKnown = unlessEmpty(legacyIpOr(known));
  ingress.forEach((own, i) => {
    ipOrKnown(own.ip, at.index(i).child("ip"));
    modeOfIp(own, at.index(i).child("ipMode"));
    hostname(own.hostname, at.index(i).child("hostname"));
  });
});
