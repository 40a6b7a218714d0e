import type { HostAlias, PodSpec } from "@rookery/api";
import { FieldError, type FieldPath, validateDns1123Subdomain } from "@rookery/kube";
import { invalidEach } from "../meta/field-rules.ts";
import { validateUnderscoredSubdomain } from "../meta/formats.ts";
import { validateIp } from "../meta/ip.ts";

const maxNameservers = 3;
const maxSearches = 32;
const maxSearchLength = 2048;

export function validateHostAliases(aliases: readonly HostAlias[], path: FieldPath): FieldError[] {
  return aliases.flatMap(({ ip = "", hostnames = [] }, i) => [
    ...validateIp(ip, path.index(i).child("ip")),
    ...hostnames.flatMap((name, j) =>
      invalidEach(name, validateDns1123Subdomain(name), path.index(i).child("hostnames").index(j)),
    ),
  ]);
}

export function validateDnsConfig(
  { dnsConfig, dnsPolicy }: PodSpec,
  path: FieldPath,
): FieldError[] {
  if (dnsPolicy === "None") {
    const detail = "must provide `dnsConfig` when `dnsPolicy` is None";
    if (dnsConfig === undefined) return [FieldError.required(path, detail)];
    const none = "must provide at least one DNS nameserver when `dnsPolicy` is None";
    if ((dnsConfig.nameservers ?? []).length === 0) {
      return [FieldError.required(path.child("nameservers"), none)];
    }
  }
  const { nameservers = [], searches = [], options = [] } = dnsConfig ?? {};
  return [
    ...validateNameservers(nameservers, path.child("nameservers")),
    ...validateSearches(searches, path.child("searches")),
    ...options.flatMap(({ name = "" }, i) =>
      name === "" ? [FieldError.required(path.child("options").index(i), "must not be empty")] : [],
    ),
  ];
}

function validateNameservers(servers: readonly string[], path: FieldPath): FieldError[] {
  const detail = `must not have more than ${maxNameservers} nameservers`;
  return [
    ...(servers.length > maxNameservers ? [FieldError.invalid(path, servers, detail)] : []),
    ...servers.flatMap((server, i) => validateIp(server, path.index(i))),
  ];
}

function validateSearches(searches: readonly string[], path: FieldPath): FieldError[] {
  const many = `must not have more than ${maxSearches} search paths`;
  const long = `must not have more than ${maxSearchLength} characters (including spaces) in the search list`;
  return [
    ...(searches.length > maxSearches ? [FieldError.invalid(path, searches, many)] : []),
    ...(searches.join(" ").length > maxSearchLength
      ? [FieldError.invalid(path, searches, long)]
      : []),
    ...searches.flatMap((search, i) => {
      const name = search.replace(/\.$/, "");
      if (search === ".") return [];
      return invalidEach(name, validateUnderscoredSubdomain(name), path.index(i));
    }),
  ];
}

/** On the network of the host, a port of a container is one of the host. */
export function validateHostNetwork(
  { hostNetwork, containers = [] }: PodSpec,
  isPod: boolean,
  path: FieldPath,
): FieldError[] {
  if (hostNetwork !== true) return [];
  const detail = "must match `containerPort` when `hostNetwork` is true";
  return containers.flatMap(({ ports = [] }, i) =>
    ports.flatMap(({ hostPort = 0, containerPort = 0 }, j) => {
      if ((!isPod && hostPort === 0) || hostPort === containerPort) return [];
      const at = path.child("containers").index(i).child("ports").index(j).child("hostPort");
      return [FieldError.invalid(at, hostPort, detail)];
    }),
  );
}

/** A pod with users of its own shares no other namespace with its host. */
export function validateHostUsers(spec: PodSpec, path: FieldPath): FieldError[] {
  if (spec.hostUsers !== false) return [];
  const detail = "when `hostUsers` is false";
  const shared = [
    ["hostNetwork", spec.hostNetwork],
    ["HostPID", spec.hostPID],
    ["HostIPC", spec.hostIPC],
  ] as const;
  const lists = ["initContainers", "containers", "ephemeralContainers"] as const;
  return [
    ...shared.flatMap(([name, value]) =>
      value === true ? [FieldError.forbidden(path.child(name), detail)] : [],
    ),
    ...lists.flatMap((list) =>
      (spec[list] ?? []).flatMap(({ volumeDevices = [] }, i) => {
        const at = path.child(list).index(i).child("volumeDevices");
        return volumeDevices.length === 0 ? [] : [FieldError.forbidden(at, detail)];
      }),
    ),
  ];
}
