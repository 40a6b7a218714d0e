import type {
  Container,
  PodSpec,
  SecurityContext,
  WindowsSecurityContextOptions,
} from "@rookery/api";
import { dns1123Subdomain, forbidden, format } from "../meta/checks.ts";
import { each, optional } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";
import { type FieldRules, type Rules, ruleOf } from "../meta/rules.ts";
import { eachContainer } from "./defaults.ts";

const notForLinux = forbidden("windows options cannot be set for a linux pod");
const notForWindows = forbidden("cannot be set for a windows pod");

const linux = ruleOf<PodSpec>([
  { securityContext: { windowsOptions: notForLinux } },
  inContainers({ windowsOptions: notForLinux }),
]);

/** In the order of Kubernetes, which alternates between the pod and its security context. */
const windows = ruleOf<PodSpec>([
  { securityContext: { appArmorProfile: notForWindows, seLinuxOptions: notForWindows } },
  { hostUsers: notForWindows, hostPID: notForWindows, hostIPC: notForWindows },
  {
    securityContext: {
      seccompProfile: notForWindows,
      fsGroup: notForWindows,
      fsGroupChangePolicy: notForWindows,
      sysctls: notForWindows,
    },
  },
  { shareProcessNamespace: notForWindows },
  {
    securityContext: {
      runAsUser: notForWindows,
      runAsGroup: notForWindows,
      supplementalGroups: notForWindows,
      supplementalGroupsPolicy: notForWindows,
      seLinuxChangePolicy: notForWindows,
    },
  },
  inContainers({
    appArmorProfile: notForWindows,
    seLinuxOptions: notForWindows,
    seccompProfile: notForWindows,
    capabilities: notForWindows,
    readOnlyRootFilesystem: notForWindows,
    privileged: notForWindows,
    allowPrivilegeEscalation: notForWindows,
    procMount: notForWindows,
    runAsUser: notForWindows,
    runAsGroup: notForWindows,
  }),
]);

function inContainers(securityContext: FieldRules<SecurityContext>): FieldRules<PodSpec> {
  const containers = each<Container>({ securityContext });
  return { initContainers: containers, containers, ephemeralContainers: containers };
}

/** Go: validateOS. A pod cannot set fields of another operating system. */
export function operatingSystem(spec: PodSpec, field: Field): void {
  const name = spec.os?.name;
  if (name === "linux") linux(spec, field);
  else if (name === "windows") windows(spec, field);
  else if (name) field.child("os").notSupported(name, ["linux", "windows"]);
  else if (spec.os) field.child("os", "name").required();
}

const maxSpecKib = 64;
const maxDomain = 256;
const maxUser = 104;
const dnsLabel = "[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?";
const dnsDomain = new RegExp(`^${dnsLabel}(?:\\.${dnsLabel})*$`);
const netBiosDomain = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/;

/** Go: validateWindowsSecurityContextOptions. */
export const windowsOptions: Rules<WindowsSecurityContextOptions | undefined> = {
  gmsaCredentialSpecName: optional(dns1123Subdomain),
  gmsaCredentialSpec: optional(format(credentialProblems)),
  runAsUserName: optional(format(userProblems)),
};

function credentialProblems(spec: string): string[] {
  if (spec === "") return ["gmsaCredentialSpec cannot be an empty string"];
  const isLong = Buffer.byteLength(spec) > maxSpecKib * 1024;
  return isLong ? [`gmsaCredentialSpec size must be under ${maxSpecKib} KiB`] : [];
}

function userProblems(name: string): string[] {
  if (name === "") return ["runAsUserName cannot be an empty string"];
  if (/\p{Cc}/u.test(name)) return ["runAsUserName cannot contain control characters"];
  const parts = name.split("\\");
  if (parts.length > 2) return ["runAsUserName cannot contain more than one backslash"];
  const user = parts.at(-1) ?? "";
  const rules: readonly (readonly [boolean, string])[] = [
    [user === "", "runAsUserName's User cannot be empty"],
    [
      user.length > maxUser,
      `runAsUserName's User length must not be longer than ${maxUser} characters`,
    ],
    [/^[. ]+$/.test(user), "runAsUserName's User cannot contain only periods or spaces"],
    [
      /["/\\:;|=,+*?<>@[\]]/.test(user),
      "runAsUserName's User cannot contain the following characters: \"/\\:;|=,+*?<>@[]",
    ],
  ];
  const broken = rules.filter(([isBroken]) => isBroken).map(([, text]) => text);
  return parts.length === 1 ? broken : [...domainProblems(parts[0] ?? ""), ...broken];
}

function domainProblems(domain: string): string[] {
  const isKnown = netBiosDomain.test(domain) || dnsDomain.test(domain);
  return [
    ...(domain.length >= maxDomain
      ? [`runAsUserName's Domain length must be under ${maxDomain} characters`]
      : []),
    ...(isKnown ? [] : ["runAsUserName's Domain doesn't match the NetBios nor the DNS format"]),
  ];
}

/** Go: validateHostProcess. Either all containers of a pod are host processes, or none is. */
export function hostProcess(spec: PodSpec, field: Field): void {
  const ofPod = spec.securityContext?.windowsOptions?.hostProcess;
  const containers: { readonly own: boolean | undefined; readonly at: Field }[] = [];
  eachContainer(spec, field, ({ securityContext }, container) => {
    const at = container.child("securityContext", "windowsOptions", "hostProcess");
    containers.push({ own: securityContext?.windowsOptions?.hostProcess, at });
  });
  for (const { own, at } of containers) {
    if (own === undefined || ofPod === undefined || own === ofPod) continue;
    at.invalid(own, `pod hostProcess value must be identical if both are specified, was ${ofPod}`);
  }
  const hosted = containers.filter(({ own }) => own ?? ofPod);
  if (hosted.length === 0) return;
  const all =
    "If pod contains any hostProcess containers then all containers must be HostProcess containers";
  const network = "hostNetwork must be true if pod contains any hostProcess containers";
  if (hosted.length !== containers.length) field.invalid("", all);
  if (spec.hostNetwork !== true) field.child("hostNetwork").invalid(false, network);
}
