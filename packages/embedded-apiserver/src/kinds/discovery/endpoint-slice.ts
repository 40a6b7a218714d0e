import type { Endpoint, EndpointSlice } from "@rookery/api";
import { fieldPath } from "@rookery/kube";
import type { BuiltInKind, EndpointContext } from "../declaration/kind.ts";
import { immutable, oneOf } from "../meta/checks.ts";
import { ageColumn, column, nameColumn } from "../meta/columns.ts";
import { required } from "../meta/combinators.ts";
import { isSameValue } from "../meta/field-rules.ts";
import { ipWarnings } from "../meta/ip.ts";
import { kindNames } from "../meta/kind-names.ts";
import { type Rules, validator } from "../meta/rules.ts";
import { endpoints } from "./endpoints.ts";
import { slicePorts } from "./slice-ports.ts";

const managedByLabel = "endpointslice.kubernetes.io/managed-by";
/** Slices of these controllers get no warnings for their addresses. */
const ownControllers = [
  "endpointslice-controller.k8s.io",
  "endpointslicemirroring-controller.k8s.io",
];
const shownItems = 3;

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
    warnings: (slice, old) => [...(old ? [] : typeWarnings(slice)), ...addressWarnings(slice)],
    isNewGeneration: (slice, old) => !isSameValue(wantedOf(slice), wantedOf(old)),
    columns: [
      nameColumn,
      column("AddressType", "string", ({ addressType }: EndpointSlice) => addressType ?? ""),
      column("Ports", "string", ({ ports }: EndpointSlice) =>
        shortened((ports ?? []).map(({ port, name = "*" }) => String(port ?? name))),
      ),
      column("Endpoints", "string", ({ endpoints }: EndpointSlice) =>
        shortened((endpoints ?? []).flatMap(({ addresses }) => addresses ?? [])),
      ),
      ageColumn,
    ],
  };
}

/** A field of an older version, which this one keeps but does not take. */
function dropTopology(endpoints: readonly Endpoint[] | undefined): void {
  for (const endpoint of endpoints ?? []) delete endpoint.deprecatedTopology;
}

function wantedOf({ addressType, endpoints, ports, metadata }: EndpointSlice): object {
  return { addressType, endpoints, ports, labels: metadata?.labels };
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

function typeWarnings({ addressType }: EndpointSlice): string[] {
  return addressType === "FQDN" ? ["spec.addressType: FQDN endpoints are deprecated"] : [];
}

function addressWarnings({ metadata, endpoints }: EndpointSlice): string[] {
  if (ownControllers.includes(metadata?.labels?.[managedByLabel] ?? "")) return [];
  return (endpoints ?? []).flatMap(({ addresses }, i) => {
    const path = fieldPath("endpoints").index(i).child("addresses");
    return (addresses ?? []).flatMap((address, j) => ipWarnings(address, path.index(j)));
  });
}

function shortened(items: readonly string[]): string {
  const shown = items.slice(0, shownItems).join(",");
  if (items.length > shownItems) return `${shown} + ${items.length - shownItems} more...`;
  return shown || "<unset>";
}
