import type { Endpoint, EndpointSlice } from "@rookery/api";
import { type FieldError, fieldPath } from "@rookery/kube";
import type { BuiltInKind, EndpointContext } from "../declaration/kind.ts";
import { ageColumn, column, nameColumn } from "../meta/columns.ts";
import { isSameValue, validateChoice, validateImmutable } from "../meta/field-rules.ts";
import { ipWarnings } from "../meta/ip.ts";
import { validateEndpoints } from "./endpoints.ts";
import { validateSlicePorts } from "./slice-ports.ts";

const managedByLabel = "endpointslice.kubernetes.io/managed-by";
/** What these write needs no look at its addresses. */
const ownControllers = [
  "endpointslice-controller.k8s.io",
  "endpointslicemirroring-controller.k8s.io",
];
const shownItems = 3;

export function endpointSliceKind(context: EndpointContext): BuiltInKind<EndpointSlice> {
  return {
    group: "discovery.k8s.io",
    version: "v1",
    kind: "EndpointSlice",
    plural: "endpointslices",
    singular: "endpointslice",
    namespaced: true,
    goType: "k8s.io/api/discovery/v1.EndpointSlice",
    model: "io.k8s.api.discovery.v1.EndpointSlice",
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
    validate: (slice) => validateSlice(slice, context),
    validateUpdate: (slice, old) => [
      ...validateSlice(slice, context, old),
      ...validateImmutable(slice.addressType, old.addressType, fieldPath("addressType")),
    ],
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

function validateSlice(
  slice: EndpointSlice,
  { podCidr }: EndpointContext,
  old?: EndpointSlice,
): FieldError[] {
  const { addressType = "" } = slice;
  const [endpoints, ports] = [slice.endpoints ?? [], slice.ports ?? []];
  const types = ["FQDN", "IPv4", "IPv6"];
  const isUnchanged = old !== undefined && isSameValue(endpoints, old.endpoints);
  const addresses = { type: addressType, ...(podCidr !== undefined && { podCidr }) };
  return [
    ...validateChoice(addressType, types, fieldPath("addressType")),
    ...validateSlicePorts(ports, fieldPath("ports")),
    ...(isUnchanged ? [] : validateEndpoints(endpoints, addresses, fieldPath("endpoints"))),
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
