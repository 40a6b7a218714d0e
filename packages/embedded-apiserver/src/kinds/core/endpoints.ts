import type { EndpointAddress, EndpointPort, EndpointSubset, Endpoints } from "@rookery/api";
import {
  FieldError,
  type FieldPath,
  fieldPath,
  validateDns1123Label,
  validateDns1123Subdomain,
  validateQualifiedName,
} from "@rookery/kube";
import type { BuiltInKind, EndpointContext } from "../declaration/kind.ts";
import { ageColumn, column, nameColumn } from "../meta/columns.ts";
import { validateEndpointIp } from "../meta/endpoint-ip.ts";
import { invalidEach, isSameValue, validateChoice } from "../meta/field-rules.ts";
import { validatePortNumber } from "../meta/formats.ts";
import { ipWarnings, validateIp } from "../meta/ip.ts";
import { coreNames } from "./core-names.ts";

const path = fieldPath("subsets");
const managedBy = "endpoints.kubernetes.io/managed-by";
const shownAddresses = 3;
const deprecation = "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice";

export function endpointsKind(context: EndpointContext): BuiltInKind<Endpoints> {
  return {
    ...coreNames("Endpoints", "endpoints"),
    namespaced: true,
    shortNames: ["ep"],
    defaults({ subsets = [] }) {
      for (const port of subsets.flatMap(({ ports = [] }) => ports)) port.protocol ||= "TCP";
    },
    validate: ({ subsets = [] }) => validateSubsets(subsets, context),
    validateUpdate({ subsets = [] }, { subsets: old = [] }) {
      return isSameValue(subsets, old) ? [] : validateSubsets(subsets, context);
    },
    deprecation,
    warnings: endpointsWarnings,
    columns: [
      nameColumn,
      column("Endpoints", "string", ({ subsets = [] }: Endpoints) => formatEndpoints(subsets)),
      ageColumn,
    ],
    allowsCreateOnUpdate: true,
  };
}

function validateSubsets(
  subsets: readonly EndpointSubset[],
  context: EndpointContext,
): FieldError[] {
  return subsets.flatMap((subset, i) => {
    const { addresses = [], notReadyAddresses = [], ports = [] } = subset;
    const at = path.index(i);
    const missing = FieldError.required(at, "must specify `addresses` or `notReadyAddresses`");
    return [
      ...(addresses.length + notReadyAddresses.length === 0 ? [missing] : []),
      ...addresses.flatMap((each, j) =>
        validateAddress(each, at.child("addresses").index(j), context),
      ),
      ...notReadyAddresses.flatMap((each, j) =>
        validateAddress(each, at.child("notReadyAddresses").index(j), context),
      ),
      ...ports.flatMap((port, j) =>
        validatePort(port, ports.length > 1, at.child("ports").index(j)),
      ),
    ];
  });
}

function validateAddress(
  { ip = "", hostname = "", nodeName }: EndpointAddress,
  at: FieldPath,
  { podCidr }: EndpointContext,
): FieldError[] {
  return [
    ...validateIp(ip, at.child("ip")),
    ...(hostname === ""
      ? []
      : invalidEach(hostname, validateDns1123Label(hostname), at.child("hostname"))),
    ...(nodeName === undefined
      ? []
      : invalidEach(nodeName, validateDns1123Subdomain(nodeName), at.child("nodeName"))),
    ...validateEndpointIp(ip, at.child("ip"), podCidr),
  ];
}

function validatePort(
  { name = "", port = 0, protocol, appProtocol }: EndpointPort,
  isOneOfMany: boolean,
  at: FieldPath,
): FieldError[] {
  const missing = isOneOfMany ? [FieldError.required(at.child("name"), "")] : [];
  return [
    ...(name === "" ? missing : invalidEach(name, validateDns1123Label(name), at.child("name"))),
    ...invalidEach(port, validatePortNumber(port), at.child("port")),
    ...validateChoice(protocol, ["SCTP", "TCP", "UDP"], at.child("protocol")),
    ...(appProtocol === undefined
      ? []
      : invalidEach(appProtocol, validateQualifiedName(appProtocol), at.child("appProtocol"))),
  ];
}

/** Their controller is known to write addresses in their usual form. */
function endpointsWarnings({ metadata, subsets = [] }: Endpoints): string[] {
  const isOwn = metadata?.labels?.[managedBy] === "endpoint-controller";
  return [deprecation, ...(isOwn ? [] : addressWarnings(subsets))];
}

function addressWarnings(subsets: readonly EndpointSubset[]): string[] {
  return subsets.flatMap((subset, i) =>
    (["addresses", "notReadyAddresses"] as const).flatMap((list) =>
      (subset[list] ?? []).flatMap(({ ip = "" }, j) =>
        ipWarnings(ip, path.index(i).child(list).index(j).child("ip")),
      ),
    ),
  );
}

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
