import type { Service, ServicePort, ServiceSpec } from "@rookery/api";
import {
  FieldError,
  type FieldPath,
  fieldPath,
  repeatedPlaces,
  validateDns1123Label,
  validateDns1123Subdomain,
  validateLabels,
  validateQualifiedName,
} from "@rookery/kube";
import { validateEndpointIp } from "../meta/endpoint-ip.ts";
import { invalidEach, validateChoice, validateSupported } from "../meta/field-rules.ts";
import { validatePortNumber } from "../meta/formats.ts";
import { GoStruct } from "../meta/go-struct.ts";
import { validatePortNumberOrName } from "../meta/int-or-percent.ts";
import { validateIp } from "../meta/ip.ts";
import { validateAddressChange, validateClusterIps } from "./service-addresses-rules.ts";
import { validateBalancerClass, validateTraffic } from "./service-traffic-rules.ts";
import { hasItems, isHeadless } from "./service-types.ts";

const path = fieldPath("spec");
const portsPath = path.child("ports");
const types = ["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"];
const maxAffinitySeconds = 86_400;

/** Go: validateService. */
export function validateService(service: Service, old?: Service): FieldError[] {
  const { spec = {} } = service;
  const ports = spec.ports ?? [];
  return [
    ...validateTopologyAnnotations(service),
    ...validateByType(spec),
    ...validatePorts(spec),
    ...validateLabels(spec.selector ?? {}, path.child("selector")),
    ...validateAffinity(spec),
    ...validateClusterIps(spec, old?.spec),
    ...validateExternalIps(spec, old?.spec),
    ...validateChoice(spec.type, types, path.child("type")),
    ...validateNodePorts(spec),
    ...validateRepeatedPorts(ports),
    ...validateTraffic(service, old),
  ];
}

/** Go: ValidateServiceUpdate, without the metadata. */
export function validateServiceUpdate(service: Service, old: Service): FieldError[] {
  const [spec, before] = [service.spec ?? {}, old.spec ?? {}];
  return [
    ...validateAddressChange(spec, before),
    ...validateBalancerClass(spec, before),
    ...validateService(service, old),
  ];
}

function validateTopologyAnnotations({ metadata }: Service): FieldError[] {
  const { annotations = {} } = metadata ?? {};
  const [mode, hints] = [
    "service.kubernetes.io/topology-mode",
    "service.kubernetes.io/topology-aware-hints",
  ];
  const [modeValue, hintsValue] = [annotations[mode], annotations[hints]];
  if (modeValue === undefined || hintsValue === undefined || modeValue === hintsValue) return [];
  const detail = `must match annotations[${hints}] when both are specified`;
  return [FieldError.invalid(fieldPath("metadata", "annotations").key(mode), modeValue, detail)];
}

function validateByType(spec: ServiceSpec): FieldError[] {
  const { type, clusterIPs = [] } = spec;
  const isBare = !hasItems(spec.ports) && !isHeadless(spec) && type !== "ExternalName";
  const missing = isBare ? [FieldError.required(portsPath, "")] : [];
  if (type === "ExternalName") return [...missing, ...validateExternalName(spec)];
  if ((type !== "LoadBalancer" && type !== "NodePort") || !isHeadless(spec)) return missing;
  const detail = `may not be set to 'None' for ${type} services`;
  const at = path.child("clusterIPs").index(0);
  return [...missing, FieldError.invalid(at, clusterIPs[0], detail)];
}

function validateExternalName(spec: ServiceSpec): FieldError[] {
  const detail = "may not be set for ExternalName services";
  const fields = [
    ["clusterIPs", hasItems(spec.clusterIPs)],
    ["ipFamilies", hasItems(spec.ipFamilies)],
    ["ipFamilyPolicy", spec.ipFamilyPolicy !== undefined],
  ] as const;
  const name = (spec.externalName ?? "").replace(/\.$/, "");
  const at = path.child("externalName");
  return [
    ...fields.flatMap(([field, isSet]) =>
      isSet ? [FieldError.forbidden(path.child(field), detail)] : [],
    ),
    ...(name === ""
      ? [FieldError.required(at, "")]
      : invalidEach(name, validateDns1123Subdomain(name), at)),
  ];
}

function validatePorts({ ports = [] }: ServiceSpec): FieldError[] {
  const names = new Set<string>();
  return ports.flatMap((port, i) => {
    const at = portsPath.index(i);
    const { port: number = 0, protocol, targetPort = 0, appProtocol } = port;
    return [
      ...validatePortName(port, { names, required: ports.length > 1 }, at.child("name")),
      ...invalidEach(number, validatePortNumber(number), at.child("port")),
      ...validateChoice(protocol, ["SCTP", "TCP", "UDP"], at.child("protocol")),
      ...validatePortNumberOrName(targetPort, at.child("targetPort")),
      ...(appProtocol === undefined
        ? []
        : invalidEach(appProtocol, validateQualifiedName(appProtocol), at.child("appProtocol"))),
    ];
  });
}

function validatePortName(
  { name = "" }: ServicePort,
  { names, required }: { readonly names: Set<string>; readonly required: boolean },
  at: FieldPath,
): FieldError[] {
  if (name === "") return required ? [FieldError.required(at, "")] : [];
  const repeated = names.has(name) ? [FieldError.duplicate(at, name)] : [];
  names.add(name);
  return [...invalidEach(name, validateDns1123Label(name), at), ...repeated];
}

function validateAffinity(spec: ServiceSpec): FieldError[] {
  const { sessionAffinity, sessionAffinityConfig: config } = spec;
  const at = path.child("sessionAffinityConfig");
  const problems = validateChoice(
    sessionAffinity,
    ["ClientIP", "None"],
    path.child("sessionAffinity"),
  );
  if (sessionAffinity !== "ClientIP") return problems;
  const seconds = config?.clientIP?.timeoutSeconds ?? 0;
  if (seconds > 0 && seconds <= maxAffinitySeconds) return problems;
  const detail = `must be greater than 0 and less than ${maxAffinitySeconds}`;
  return [...problems, FieldError.invalid(at.child("clientIP", "timeoutSeconds"), seconds, detail)];
}

function validateExternalIps({ externalIPs = [] }: ServiceSpec, old?: ServiceSpec): FieldError[] {
  return externalIPs.flatMap((ip, i) => {
    const at = path.child("externalIPs").index(i);
    const problems = validateIp(ip, at, old?.externalIPs);
    return problems.length > 0 ? problems : validateEndpointIp(ip, at);
  });
}

/** A port of the nodes that is asked for twice is taken when it is asked for again. */
function validateNodePorts({ type, ports = [] }: ServiceSpec): FieldError[] {
  const detail = "may not be used when `type` is 'ClusterIP'";
  const used = ports
    .map(({ nodePort = 0, protocol, port }, i) => ({ nodePort, protocol, port, i }))
    .filter(({ nodePort }) => nodePort !== 0);
  const at = (i: number) => portsPath.index(i).child("nodePort");
  const before = new Map<number, { ports: Set<unknown>; protocols: Set<unknown> }>();
  return [
    ...(type === "ClusterIP" ? used.map(({ i }) => FieldError.forbidden(at(i), detail)) : []),
    ...used.flatMap(({ nodePort, protocol, port, i }) => {
      const { ports, protocols } = before.get(nodePort) ?? {
        ports: new Set(),
        protocols: new Set(),
      };
      const hasOthers = ports.size > (ports.has(port) ? 1 : 0);
      const isRepeated = protocols.has(protocol);
      before.set(nodePort, { ports: ports.add(port), protocols: protocols.add(protocol) });
      if (hasOthers && type !== "ClusterIP") {
        return [FieldError.invalid(at(i), nodePort, "provided port is already allocated")];
      }
      return isRepeated ? [FieldError.duplicate(at(i), nodePort)] : [];
    }),
  ];
}

function validateRepeatedPorts(ports: readonly ServicePort[]): FieldError[] {
  const repeated = repeatedPlaces(ports.map(({ port, protocol }) => `${port}/${protocol}`));
  return ports.flatMap(({ port = 0, protocol = "" }, i) => {
    return repeated.has(i)
      ? [FieldError.duplicate(portsPath.index(i), goPort(port, protocol))]
      : [];
  });
}

/** Of the port only what has to be unique is shown. */
function goPort(port: number, protocol: string): GoStruct {
  return new GoStruct({
    Name: "",
    Protocol: protocol,
    AppProtocol: null,
    Port: port,
    TargetPort: 0,
    NodePort: 0,
  });
}

/** A status names the addresses of a load balancer. */
export function validateServiceStatus(service: Service, old: Service): FieldError[] {
  const ingress = service.status?.loadBalancer?.ingress ?? [];
  const at = fieldPath("status", "loadBalancer", "ingress");
  if (service.spec?.type !== "LoadBalancer") {
    const detail = "may only be used when `spec.type` is 'LoadBalancer'";
    return ingress.length === 0 ? [] : [FieldError.forbidden(at, detail)];
  }
  const known = (old.status?.loadBalancer?.ingress ?? []).flatMap(({ ip }) => (ip ? [ip] : []));
  return ingress.flatMap(({ ip = "", hostname = "", ipMode }, i) => [
    ...(ip === "" ? [] : validateIp(ip, at.index(i).child("ip"), known)),
    ...validateIpMode({ ip, ipMode }, at.index(i).child("ipMode")),
    ...validateHostname(hostname, at.index(i).child("hostname")),
  ]);
}

function validateIpMode(
  { ip, ipMode }: { readonly ip: string; readonly ipMode: string | undefined },
  at: FieldPath,
): FieldError[] {
  if (ipMode === undefined) {
    return ip === "" ? [] : [FieldError.required(at, "must be specified when `ip` is set")];
  }
  if (ip === "") return [FieldError.forbidden(at, "may not be specified when `ip` is not set")];
  return validateSupported(ipMode, ["Proxy", "VIP"], at);
}

function validateHostname(name: string, at: FieldPath): FieldError[] {
  if (name === "") return [];
  const problems = invalidEach(name, validateDns1123Subdomain(name), at);
  if (validateIp(name, at).length > 0) return problems;
  return [...problems, FieldError.invalid(at, name, "must be a DNS name, not an IP address")];
}
