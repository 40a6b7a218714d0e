import type { Service, ServicePort, ServiceSpec } from "@rookery/api";
import { fieldPath, formatLabels, validateDns1035Label } from "@rookery/kube";
import { type BuiltInKind, type KindContext, keepSpec, kindNames } from "../declaration/kind.ts";
import { ageColumn, column, nameColumn, wide } from "../meta/columns.ts";
import { cidrWarnings, ipWarnings } from "../meta/ip.ts";
import { ServiceAllocation } from "./service-allocation.ts";
import { dropTypeDependent, keepAllocated, normalizeClusterIps } from "./service-changes.ts";
import { fillFamilies } from "./service-families.ts";
import { validateService, validateServiceStatus, validateServiceUpdate } from "./service-rules.ts";
import { isExternallyAccessible, isHeadless, needsClusterIp, specOf } from "./service-types.ts";

const affinitySeconds = 10_800;

function serviceDefaults(service: Service): void {
  const spec = specOf(service);
  affinityDefaults(spec);
  spec.type ||= "ClusterIP";
  for (const port of spec.ports ?? []) portDefaults(port);
  if (isExternallyAccessible(spec)) spec.externalTrafficPolicy ||= "Cluster";
  const isKnown = ["NodePort", "LoadBalancer", "ClusterIP"].includes(spec.type);
  if (isKnown) spec.internalTrafficPolicy ??= "Cluster";
  if (!needsClusterIp(spec)) delete spec.internalTrafficPolicy;
  if (spec.type === "LoadBalancer") loadBalancerDefaults(service, spec);
}

function affinityDefaults(spec: ServiceSpec): void {
  spec.sessionAffinity ||= "None";
  if (spec.sessionAffinity === "None") delete spec.sessionAffinityConfig;
  if (spec.sessionAffinity !== "ClientIP") return;
  if (spec.sessionAffinityConfig?.clientIP?.timeoutSeconds !== undefined) return;
  spec.sessionAffinityConfig = { clientIP: { timeoutSeconds: affinitySeconds } };
}

function portDefaults(port: ServicePort): void {
  port.protocol ||= "TCP";
  port.targetPort ||= port.port ?? 0;
}

function loadBalancerDefaults({ status }: Service, spec: ServiceSpec): void {
  spec.allocateLoadBalancerNodePorts ??= true;
  for (const ingress of status?.loadBalancer?.ingress ?? []) {
    if (ingress.ip) ingress.ipMode ??= "VIP";
  }
}

/** Services have addresses of their own, which are remembered. */
export function serviceKind(context: KindContext): BuiltInKind<Service> {
  const allocation = new ServiceAllocation(context);
  return {
    ...kindNames("", "Service", "services"),
    namespaced: true,
    shortNames: ["svc"],
    categories: ["all"],
    defaults: serviceDefaults,
    validateName: validateDns1035Label,
    prepareForCreate(service) {
      service.status = { loadBalancer: {} };
      normalizeClusterIps(specOf(service));
      fillFamilies(service, undefined, allocation.family);
      allocation.assertAvailable(service);
    },
    prepareForUpdate(service, old) {
      keepAllocated(specOf(service), old.spec ?? {});
      normalizeClusterIps(specOf(service), old.spec ?? {});
      fillFamilies(service, old, allocation.family);
      dropTypeDependent(service, old);
    },
    validate: validateService,
    validateUpdate: validateServiceUpdate,
    warnings: serviceWarnings,
    status: { prepareForUpdate: keepSpec, validateUpdate: validateServiceStatus },
    selectableFields: {
      "spec.clusterIP": ({ spec }) => spec?.clusterIP ?? "",
      "spec.type": ({ spec }) => spec?.type ?? "",
    },
    columns,
    allowsCreateOnUpdate: true,
    beforeCreate: (service) => allocation.allocate(service),
    beforeUpdate: (service, old) => allocation.allocate(service, old),
    afterDelete: (service) => allocation.release(service),
  };
}

const hintsAnnotation = "service.kubernetes.io/topology-aware-hints";
const modeAnnotation = "service.kubernetes.io/topology-mode";

function serviceWarnings({ metadata, spec = {} }: Service): string[] {
  const path = fieldPath("spec");
  const { clusterIPs = [], externalIPs = [], loadBalancerIP = "" } = spec;
  const ranges = spec.loadBalancerSourceRanges ?? [];
  const isSet = spec.clusterIP && spec.clusterIP !== "None";
  return [
    ...(metadata?.annotations?.[hintsAnnotation] === undefined
      ? []
      : [`annotation ${hintsAnnotation} is deprecated, please use ${modeAnnotation} instead`]),
    ...(isSet
      ? clusterIPs.flatMap((ip, i) => ipWarnings(ip, path.child("clusterIPs").index(i)))
      : []),
    ...headlessWarnings(spec),
    ...externalIPs.flatMap((ip, i) => ipWarnings(ip, path.child("externalIPs").index(i))),
    ...(loadBalancerIP === "" ? [] : ipWarnings(loadBalancerIP, path.child("loadBalancerIP"))),
    ...ranges.flatMap((range, i) =>
      cidrWarnings(range, path.child("loadBalancerSourceRanges").index(i)),
    ),
    ...nameWarnings(spec),
  ];
}

function headlessWarnings(spec: ServiceSpec): string[] {
  if (spec.type !== "ClusterIP" || !isHeadless(spec)) return [];
  const ignored = [
    ...(spec.loadBalancerIP ? ["loadBalancerIP"] : []),
    ...((spec.externalIPs ?? []).length > 0 ? ["externalIPs"] : []),
    ...(spec.sessionAffinity === "None" ? [] : ["SessionAffinity"]),
  ];
  return ignored.map((field) => `spec.${field} is ignored for headless services`);
}

function nameWarnings({ type, externalIPs = [], externalName = "" }: ServiceSpec): string[] {
  if (type === "ExternalName") {
    const hasIps = externalIPs.length > 0;
    return hasIps ? ['spec.externalIPs is ignored when spec.type is "ExternalName"'] : [];
  }
  return externalName === ""
    ? []
    : ['spec.externalName is ignored when spec.type is not "ExternalName"'];
}

const columns = [
  nameColumn,
  column("Type", "string", ({ spec }: Service) => spec?.type ?? ""),
  column("Cluster-IP", "string", ({ spec }: Service) => spec?.clusterIPs?.[0] ?? "<none>"),
  column("External-IP", "string", externalIp),
  column("Port(s)", "string", ({ spec }: Service) => formatPorts(spec ?? {})),
  ageColumn,
  wide(column("Selector", "string", ({ spec }: Service) => formatLabels(spec?.selector))),
];

function externalIp({ spec = {}, status }: Service): string {
  const { type, externalIPs = [], externalName = "" } = spec;
  if (type === "ExternalName") return externalName;
  if (type === "ClusterIP" || type === "NodePort") return externalIPs.join(",") || "<none>";
  if (type !== "LoadBalancer") return "<unknown>";
  const ingress = status?.loadBalancer?.ingress ?? [];
  const balancers = new Set(ingress.map(({ ip, hostname }) => ip || hostname || ""));
  const shown = [...balancers].filter((each) => each !== "").sort();
  return [...shown, ...externalIPs].join(",") || "<pending>";
}

function formatPorts({ ports = [] }: ServiceSpec): string {
  const shown = ports.map(({ port = 0, nodePort = 0, protocol = "" }) =>
    nodePort > 0 ? `${port}:${nodePort}/${protocol}` : `${port}/${protocol}`,
  );
  return shown.join(",") || "<none>";
}
