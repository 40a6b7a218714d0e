import type { Endpoint, EndpointHints } from "@rookery/api";
import {
  FieldError,
  type FieldPath,
  repeatedPlaces,
  validateDns1123Label,
  validateDns1123Subdomain,
} from "@rookery/kube";
import { invalidEach, labelValueProblems } from "../meta/field-rules.ts";
import { type SliceAddresses, validateAddress } from "./addresses.ts";

const maxEndpoints = 1000;
const maxAddresses = 100;
const maxHints = 8;

/** Endpoints with addresses of one type; those of an unknown type are not looked at. */
export function validateEndpoints(
  endpoints: readonly Endpoint[],
  addresses: SliceAddresses,
  path: FieldPath,
): FieldError[] {
  if (endpoints.length > maxEndpoints) {
    return [FieldError.tooMany(path, endpoints.length, maxEndpoints)];
  }
  return endpoints.flatMap((endpoint, i) => [
    ...validateAddresses(endpoint, addresses, path.index(i).child("addresses")),
    ...validatePlace(endpoint, path.index(i)),
  ]);
}

function validateAddresses(
  endpoint: Endpoint,
  kind: SliceAddresses,
  path: FieldPath,
): FieldError[] {
  const addresses = endpoint.addresses ?? [];
  const problems: FieldError[] = [];
  if (addresses.length === 0) {
    problems.push(FieldError.required(path, "must contain at least 1 address"));
  }
  if (addresses.length > maxAddresses) {
    problems.push(FieldError.tooMany(path, addresses.length, maxAddresses));
  }
  const each = addresses.flatMap((address, i) =>
    validateAddress(address, kind, { list: path, item: path.index(i) }),
  );
  return [...problems, ...each];
}

/** Where an endpoint is, and whom it is for. */
function validatePlace(endpoint: Endpoint, path: FieldPath): FieldError[] {
  const { nodeName, hostname, hints } = endpoint;
  return [
    ...(nodeName === undefined
      ? []
      : invalidEach(nodeName, validateDns1123Subdomain(nodeName), path.child("nodeName"))),
    ...(hostname === undefined
      ? []
      : invalidEach(hostname, validateDns1123Label(hostname), path.child("hostname"))),
    ...(hints ? validateHints(hints, path.child("hints")) : []),
  ];
}

function validateHints({ forZones = [], forNodes = [] }: EndpointHints, path: FieldPath) {
  const zonesPath = path.child("forZones");
  const nodesPath = path.child("forNodes");
  if (forZones.length > maxHints) return [FieldError.tooMany(zonesPath, forZones.length, maxHints)];
  const zoneProblems = validateNames(forZones, zonesPath, labelValueProblems);
  if (forNodes.length > maxHints) {
    return [...zoneProblems, FieldError.tooMany(nodesPath, forNodes.length, maxHints)];
  }
  return [
    ...zoneProblems,
    ...validateNames(forNodes, nodesPath, (name, at) =>
      invalidEach(name, validateDns1123Subdomain(name), at),
    ),
  ];
}

function validateNames(
  items: readonly { name?: string }[],
  path: FieldPath,
  validateName: (name: string, path: FieldPath) => FieldError[],
): FieldError[] {
  const names = items.map(({ name = "" }) => name);
  const places = repeatedPlaces(names);
  return names.flatMap((name, i) => {
    const at = path.index(i).child("name");
    const repeated = places.has(i) ? [FieldError.duplicate(at, name)] : [];
    return [...repeated, ...validateName(name, at)];
  });
}
