import type { HostAlias, PodDNSConfig, PodSpec } from "@rookery/api";
import { dns1123Subdomain } from "../meta/checks.ts";
import { each } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";
import { validateUnderscoredSubdomain } from "../meta/formats.ts";
import { legacyIp } from "../meta/ip.ts";
import { type Rule, type Rules, ruleOf } from "../meta/rules.ts";
import { eachContainer } from "./defaults.ts";

const maxNameservers = 3;
const maxSearches = 32;
const maxSearchLength = 2048;

/** Go: ValidateHostAliases. */
export const hostAliases = each<HostAlias>({ ip: legacyIp, hostnames: each(dns1123Subdomain) });

/** The error shows the name without the final dot. */
const search: Rule<string> = (text, field) => {
  const name = text.replace(/\.$/, "");
  if (text !== ".") field.invalidEach(name, validateUnderscoredSubdomain(name));
};

const dnsRules: Rules<PodDNSConfig> = {
  nameservers: [
    (servers = [], field) => {
      const detail = `must not have more than ${maxNameservers} nameservers`;
      if (servers.length > maxNameservers) field.invalid(servers, detail);
    },
    each(legacyIp),
  ],
  searches: [
    (searches = [], field) => {
      const many = `must not have more than ${maxSearches} search paths`;
      const long = `must not have more than ${maxSearchLength} characters (including spaces) in the search list`;
      if (searches.length > maxSearches) field.invalid(searches, many);
      if (searches.join(" ").length > maxSearchLength) field.invalid(searches, long);
    },
    each(search),
  ],
  options: each(({ name = "" }, field) => {
    if (name === "") field.required("must not be empty");
  }),
};
const dnsConfigRule = ruleOf<PodDNSConfig | undefined>(dnsRules);

/** Go: validatePodDNSConfig. */
export function dnsConfig({ dnsConfig: config, dnsPolicy }: PodSpec, field: Field): void {
  const at = field.child("dnsConfig");
  const none = "must provide at least one DNS nameserver when `dnsPolicy` is None";
  if (dnsPolicy !== "None" || (config?.nameservers ?? []).length > 0) dnsConfigRule(config, at);
  else if (config) at.child("nameservers").required(none);
  else at.required("must provide `dnsConfig` when `dnsPolicy` is None");
}

/** On the host network, ports of containers are ports of the host. */
export function hostNetworkPorts(spec: PodSpec, isPod: boolean, field: Field): void {
  if (spec.hostNetwork !== true) return;
  spec.containers?.forEach(({ ports = [] }, i) => {
    ports.forEach(({ hostPort = 0, containerPort = 0 }, j) => {
      if ((!isPod && hostPort === 0) || hostPort === containerPort) return;
      const at = field.child("containers").index(i).child("ports").index(j).child("hostPort");
      at.invalid(hostPort, "must match `containerPort` when `hostNetwork` is true");
    });
  });
}

/** Go: validateHostUsers. A pod with its own user namespace shares no namespace with the host. */
export function hostUsers(spec: PodSpec, field: Field): void {
  if (spec.hostUsers !== false) return;
  const detail = "when `hostUsers` is false";
  if (spec.hostNetwork) field.child("hostNetwork").forbidden(detail);
  if (spec.hostPID) field.child("HostPID").forbidden(detail);
  if (spec.hostIPC) field.child("HostIPC").forbidden(detail);
  eachContainer(spec, field, ({ volumeDevices = [] }, at) => {
    if (volumeDevices.length > 0) at.child("volumeDevices").forbidden(detail);
  });
}
