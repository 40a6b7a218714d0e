import type { Endpoint, EndpointHints, EndpointSlice, EndpointSlicePort } from "@rookery/api";
import { quote, validateDns1123Label, validateDns1123Subdomain } from "@rookery/kube";
import { formatIpAddress, isIpv4Mapped, parseIpAddress, parseLegacyIp } from "@rookery/schema";
import { type BuiltInKind, type EndpointContext, kindNames } from "../declaration/kind.ts";
import {
  dns1123Label,
  dns1123Subdomain,
  immutable,
  labelValue,
  maxItems,
  oneOf,
  qualifiedName,
  unique,
} from "../meta/checks.ts";
import { ageColumn, columns, nameColumn } from "../meta/columns.ts";
import { each, firstOf, optional, required, unlessEmpty } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";
import { isSameValue } from "../meta/field-rules.ts";
import { endpointIp, ipWarnings, legacyIp } from "../meta/ip.ts";
import { type Rules, ruleOf, validator, warner } from "../meta/rules.ts";

/** At most one port has no name. */
const port: Rules<EndpointSlicePort> = {
  name: [unlessEmpty(dns1123Label), unique],
  protocol: oneOf("SCTP", "TCP", "UDP"),
  appProtocol: optional(qualifiedName),
};

/** Go: validatePorts of a slice. */
const slicePorts = firstOf<readonly EndpointSlicePort[] | undefined>(maxItems(20_000), each(port));

const maxHints = 8;

/** Go: validateHints. Too many zones keep nodes from being validated. */
const hints: Rules<EndpointHints> = firstOf<EndpointHints>({ forZones: maxItems(maxHints) }, [
  { forZones: each({ name: [unique, labelValue] }) },
  (hints, field) => nodes(hints.forNodes, field.child("forNodes")),
]);

const nodes = firstOf<EndpointHints["forNodes"]>(
  maxItems(maxHints),
  each({ name: [unique, dns1123Subdomain] }),
);

const endpoint: Rules<Endpoint, SliceAddresses> = {
  addresses: [required([], "must contain at least 1 address"), maxItems(100), each(sliceAddress)],
  nodeName: optional(dns1123Subdomain),
  hostname: optional(dns1123Label),
  hints: optional(hints),
};

/** Go: validateEndpoints. */
const endpoints = ruleOf<readonly Endpoint[] | undefined, SliceAddresses>(
  firstOf<readonly Endpoint[] | undefined, SliceAddresses>(maxItems(1000), each(endpoint)),
);

/** The type of the addresses of a slice. */
interface SliceAddresses {
  readonly type: string;
  /** The loopback network of pods, if there is a node. */
  readonly podCidr?: string;
}

/** An address of the wrong family is reported at the list. */
function sliceAddress(address: string, field: Field<SliceAddresses>): void {
  const { type, podCidr } = field.scope;
  if (type === "FQDN") domainName(address, field);
  if (type !== "IPv4" && type !== "IPv6") return;
  const before = field.errorCount;
  if (type === "IPv4") legacyIp(address, field);
  else strictIp(address, field);
  if (field.errorCount > before) return;
  const isFamily = parseLegacyIp(address)?.family === (type === "IPv4" ? 4 : 6);
  if (!isFamily) field.parent.invalid(address, `must be an ${type} address`);
  endpointIp(podCidr)(address, field);
}

/** Go: IsValidIP. An address in canonical form. */
function strictIp(value: string, field: Field): void {
  const address = parseLegacyIp(value);
  const detail =
    address && (strictProblem(value) ?? canonicalProblem(value, formatIpAddress(address)));
  legacyIp(value, field);
  if (detail !== undefined) field.invalid(value, detail);
}

function strictProblem(value: string): string | undefined {
  try {
    const isMapped = isIpv4Mapped(parseIpAddress(value));
    return isMapped ? "must not be an IPv4-mapped IPv6 address" : undefined;
  } catch {
    return "must not have leading 0s";
  }
}

function canonicalProblem(value: string, canonical: string): string | undefined {
  return value === canonical ? undefined : `must be in canonical form (${quote(canonical)})`;
}

/** Go: IsFullyQualifiedDomainName. */
function domainName(value: string, field: Field): void {
  const name = value.endsWith(".") ? value.slice(0, -1) : value;
  const labels = name.split(".");
  const problems = validateDns1123Subdomain(name);
  const bad = labels.find((label) => validateDns1123Label(label).length > 0);
  if (value === "") field.required();
  else if (problems.length > 0) field.invalid(name, problems.join(","));
  else if (labels.length < 2) {
    field.invalid(name, "should be a domain with at least two segments separated by dots");
  } else if (bad !== undefined) field.invalid(bad, validateDns1123Label(bad).join(","));
}

const addressType = required(oneOf("FQDN", "IPv4", "IPv6"));

/** Go: ValidateEndpointSlice. Endpoints that do not change are not validated. */
function sliceOf({ podCidr }: EndpointContext): Rules<EndpointSlice> {
  return [
    { addressType, ports: slicePorts },
    (slice, field) => {
      const { addressType: type = "" } = slice;
      const at = field.child("endpoints");
      const isKept = field.old !== undefined && isSameValue(slice.endpoints, at.old);
      const scope = { type, ...(podCidr !== undefined && { podCidr }) };
      if (!isKept) endpoints(slice.endpoints, at.withScope(scope));
    },
  ];
}

const managedByLabel = "endpointslice.kubernetes.io/managed-by";
/** Slices of these controllers get no warnings about their addresses. */
const ownControllers = [
  "endpointslice-controller.k8s.io",
  "endpointslicemirroring-controller.k8s.io",
];
const addressWarnings = ruleOf<EndpointSlice>({
  endpoints: each({ addresses: each(ipWarnings) }),
});

const warnings = warner<EndpointSlice>((slice, field) => {
  if (field.old === undefined && slice.addressType === "FQDN") {
    field.warnPlainly("spec.addressType: FQDN endpoints are deprecated");
  }
  const controller = slice.metadata?.labels?.[managedByLabel] ?? "";
  if (!ownControllers.includes(controller)) addressWarnings(slice, field);
});

/** Drops a field of an older version, which is stored but no longer accepted. */
function dropTopology(endpoints: readonly Endpoint[] | undefined): void {
  for (const endpoint of endpoints ?? []) delete endpoint.deprecatedTopology;
}

function generationFields({ addressType, endpoints, ports, metadata }: EndpointSlice): object {
  return { addressType, endpoints, ports, labels: metadata?.labels };
}

export function endpointSliceKind(context: EndpointContext): BuiltInKind<EndpointSlice> {
  return {
    ...kindNames("discovery.k8s.io", "EndpointSlice", "endpointslices"),
    namespaced: true,
    defaults({ ports }) {
      for (const port of ports ?? []) {
        port.name ??= "";
        port.protocol ??= "TCP";
      }
    },
    prepareForCreate: ({ endpoints }) => dropTopology(endpoints),
    prepareForUpdate({ endpoints }, old) {
      if (!isSameValue(endpoints, old.endpoints)) dropTopology(endpoints);
    },
    validate: validator(sliceOf(context)),
    validateUpdate: validator([sliceOf(context), { addressType: immutable }]),
    warnings,
    isNewGeneration: (slice, old) => !isSameValue(generationFields(slice), generationFields(old)),
    columns: [
      nameColumn,
      ...columns<EndpointSlice>({
        AddressType: ({ addressType }) => addressType ?? "",
        Ports: ({ ports }) =>
          shortened((ports ?? []).map(({ port, name = "*" }) => String(port ?? name))),
        Endpoints: ({ endpoints }) =>
          shortened((endpoints ?? []).flatMap(({ addresses }) => addresses ?? [])),
      }),
      ageColumn,
    ],
  };
}

const shownItems = 3;

function shortened(items: readonly string[]): string {
  const shown = items.slice(0, shownItems).join(",");
  if (items.length > shownItems) return `${shown} + ${items.length - shownItems} more...`;
  return shown || "<unset>";
}
