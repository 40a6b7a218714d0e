import type { EndpointAddress, EndpointPort, EndpointSubset, Endpoints } from "@rookery/api";
import { type BuiltInKind, type EndpointContext, kindNames } from "../declaration/kind.ts";
import {
  dns1123Label,
  dns1123Subdomain,
  oneOf,
  portNumber,
  qualifiedName,
} from "../meta/checks.ts";
import { ageColumn, columns, nameColumn } from "../meta/columns.ts";
import { each, optional, required, unlessEmpty } from "../meta/combinators.ts";
import { isSameValue } from "../meta/field-rules.ts";
import { endpointIp, ipWarnings, legacyIp } from "../meta/ip.ts";
import { type Rules, ruleOf, validator, warner } from "../meta/rules.ts";

const managedBy = "endpoints.kubernetes.io/managed-by";
const shownAddresses = 3;
const deprecation = "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice";

export function endpointsKind(context: EndpointContext): BuiltInKind<Endpoints> {
  return {
    ...kindNames("", "Endpoints", "endpoints"),
    namespaced: true,
    shortNames: ["ep"],
    defaults({ subsets = [] }) {
      for (const port of subsets.flatMap(({ ports = [] }) => ports)) port.protocol ||= "TCP";
    },
    validate: validator(subsetsOf(context)),
    validateUpdate: validator(subsetsOf(context)),
    deprecation,
    warnings,
    columns: [
      nameColumn,
      ...columns<Endpoints>({ Endpoints: ({ subsets = [] }) => formatEndpoints(subsets) }),
      ageColumn,
    ],
    allowsCreateOnUpdate: true,
  };
}

interface SubsetScope extends EndpointContext {
  /** Whether there are several ports: each then needs a name. */
  readonly needsNames: boolean;
}

const address: Rules<EndpointAddress, EndpointContext> = [
  { ip: legacyIp, hostname: unlessEmpty(dns1123Label), nodeName: optional(dns1123Subdomain) },
  ({ ip }, field) => endpointIp(field.scope.podCidr)(ip, field.child("ip")),
];

const port: Rules<EndpointPort, SubsetScope> = {
  name: (name, field) => {
    if (name) dns1123Label(name, field);
    else if (field.scope.needsNames) field.required();
  },
  port: portNumber,
  protocol: required(oneOf("SCTP", "TCP", "UDP")),
  appProtocol: optional(qualifiedName),
};

const parts = ruleOf<EndpointSubset, SubsetScope>({
  addresses: each(address),
  notReadyAddresses: each(address),
  ports: each(port),
});

const subsets = each<EndpointSubset, EndpointContext>((subset, field) => {
  const { addresses = [], notReadyAddresses = [], ports = [] } = subset;
  if (addresses.length + notReadyAddresses.length === 0) {
    field.required("must specify `addresses` or `notReadyAddresses`");
  }
  parts(subset, field.withScope({ ...field.scope, needsNames: ports.length > 1 }));
});

/** Go: ValidateEndpointsUpdate. Subsets that do not change are not validated. */
function subsetsOf(context: EndpointContext): Rules<Endpoints, undefined> {
  return {
    subsets: (own, field) => {
      const isKept = field.parent.old !== undefined && isSameValue(own, field.old);
      if (!isKept) subsets(own, field.withScope(context));
    },
  };
}

const addressWarnings = each<EndpointAddress>({ ip: ipWarnings });
const subsetWarnings = ruleOf<Endpoints>({
  subsets: each({ addresses: addressWarnings, notReadyAddresses: addressWarnings }),
});

/** The endpoint controller writes addresses in canonical form. */
const warnings = warner<Endpoints>((own, field) => {
  field.warnPlainly(deprecation);
  if (own.metadata?.labels?.[managedBy] !== "endpoint-controller") subsetWarnings(own, field);
});

function formatEndpoints(subsets: readonly EndpointSubset[]): string {
  if (subsets.length === 0) return "<none>";
  const all = subsets.flatMap(({ addresses = [], ports = [] }) =>
    ports.length === 0
      ? addresses.map(({ ip = "" }) => ip)
      : ports.flatMap(({ port = 0 }) => addresses.map(({ ip = "" }) => joinPort(ip, port))),
  );
  const shown = all.slice(0, shownAddresses).join(",");
  const more = all.length - shownAddresses;
  return more > 0 ? `${shown} + ${more} more...` : shown;
}

function joinPort(ip: string, port: number): string {
  return ip.includes(":") ? `[${ip}]:${port}` : `${ip}:${port}`;
}
