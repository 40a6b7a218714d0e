import type { Service, ServicePort, ServiceSpec } from "@rookery/api";
import { formatLabels, validateDns1035Label } from "@rookery/kube";
import {
  type BuiltInKind,
  fieldsByPath,
  type KindContext,
  keepSpec,
  kindNames,
} from "../declaration/kind.ts";
import { ageColumn, columns, nameColumn, wideColumns } from "../meta/columns.ts";
import { each, optional } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";
import { cidrWarnings, ipWarnings } from "../meta/ip.ts";
import { warner } from "../meta/rules.ts";
import { ServiceAllocation } from "./service-allocation.ts";
import { dropTypeDependent, keepAllocated, normalizeClusterIps } from "./service-changes.ts";
import { fillFamilies } from "./service-families.ts";
import { validateService, validateServiceStatus, validateServiceUpdate } from "./service-rules.ts";
import {
  hasItems,
  isExternallyAccessible,
  isHeadless,
  needsClusterIp,
  specOf,
} from "./service-types.ts";

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

const hintsAnnotation = "service.kubernetes.io/topology-aware-hints";
const modeAnnotation = "service.kubernetes.io/topology-mode";

const warnings = warner<Service>([
  ({ metadata }, field) => {
    if (metadata?.annotations?.[hintsAnnotation] === undefined) return;
    field.warnPlainly(
      `annotation ${hintsAnnotation} is deprecated, please use ${modeAnnotation} instead`,
    );
  },
  {
    spec: [
      (spec, field) => {
        const isSet = spec?.clusterIP && spec.clusterIP !== "None";
        if (isSet) eachIp(spec.clusterIPs, field.child("clusterIPs"));
      },
      optional(ignoredIfHeadless),
      {
        externalIPs: each(ipWarnings),
        loadBalancerIP: ipWarnings,
        loadBalancerSourceRanges: each(cidrWarnings),
      },
      optional(ignoredByType),
    ],
  },
]);

const eachIp = each(ipWarnings);

function ignoredIfHeadless(spec: ServiceSpec, field: Field): void {
  if (spec.type !== "ClusterIP" || !isHeadless(spec)) return;
  const ignored: readonly (readonly [boolean, string])[] = [
    [Boolean(spec.loadBalancerIP), "loadBalancerIP"],
    [hasItems(spec.externalIPs), "externalIPs"],
    [spec.sessionAffinity !== "None", "SessionAffinity"],
  ];
  for (const [isSet, name] of ignored) {
    if (isSet) field.warnPlainly(`spec.${name} is ignored for headless services`);
  }
}

function ignoredByType({ type, externalIPs, externalName = "" }: ServiceSpec, field: Field): void {
  if (type === "ExternalName" && hasItems(externalIPs)) {
    field.warnPlainly('spec.externalIPs is ignored when spec.type is "ExternalName"');
  }
  if (type !== "ExternalName" && externalName !== "") {
    field.warnPlainly('spec.externalName is ignored when spec.type is not "ExternalName"');
  }
}

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

/** The kind allocates the addresses and ports of Services. */
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
    warnings,
    status: { prepareForUpdate: keepSpec, validateUpdate: validateServiceStatus },
    selectableFields: fieldsByPath("spec.clusterIP", "spec.type"),
    columns: [
      nameColumn,
      ...columns<Service>({
        Type: ({ spec }) => spec?.type ?? "",
        "Cluster-IP": ({ spec }) => spec?.clusterIPs?.[0] ?? "<none>",
        "External-IP": externalIp,
        "Port(s)": ({ spec }) => formatPorts(spec ?? {}),
      }),
      ageColumn,
      ...wideColumns<Service>({ Selector: ({ spec }) => formatLabels(spec?.selector) }),
    ],
    allowsCreateOnUpdate: true,
    beforeCreate: (service) => allocation.allocate(service),
    beforeUpdate: (service, old) => allocation.allocate(service, old),
    afterDelete: (service) => allocation.release(service),
  };
}
