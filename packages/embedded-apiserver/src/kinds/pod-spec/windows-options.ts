import type { PodSpec, WindowsSecurityContextOptions } from "@rookery/api";
import { FieldError, type FieldPath, validateDns1123Subdomain } from "@rookery/kube";
import { invalidEach } from "../meta/field-rules.ts";

const containerLists = ["initContainers", "containers", "ephemeralContainers"] as const;
const maxSpecKib = 64;
const maxDomain = 256;
const maxUser = 104;
const dnsLabel = "[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?";
const dnsDomain = new RegExp(`^${dnsLabel}(?:\\.${dnsLabel})*$`);
const netBiosDomain = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/;

/** Who a container of Windows runs as. */
export function validateWindowsOptions(
  options: WindowsSecurityContextOptions | undefined,
  path: FieldPath,
): FieldError[] {
  const { gmsaCredentialSpecName: name, gmsaCredentialSpec: spec, runAsUserName } = options ?? {};
  return [
    ...(name === undefined
      ? []
      : invalidEach(name, validateDns1123Subdomain(name), path.child("gmsaCredentialSpecName"))),
    ...(spec === undefined
      ? []
      : invalidEach(spec, credentialProblems(spec), path.child("gmsaCredentialSpec"))),
    ...(runAsUserName === undefined
      ? []
      : invalidEach(runAsUserName, userProblems(runAsUserName), path.child("runAsUserName"))),
  ];
}

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

/** Processes of the host: all containers of a pod are such, or none. */
export function validateHostProcess(spec: PodSpec, path: FieldPath): FieldError[] {
  const ofPod = spec.securityContext?.windowsOptions?.hostProcess;
  const containers = containerLists.flatMap((list) =>
    (spec[list] ?? []).map(({ securityContext }, i) => ({
      own: securityContext?.windowsOptions?.hostProcess,
      at: path.child(list).index(i).child("securityContext", "windowsOptions", "hostProcess"),
    })),
  );
  const identical = `pod hostProcess value must be identical if both are specified, was ${ofPod}`;
  const hosted = containers.filter(({ own }) => own ?? ofPod);
  const all =
    "If pod contains any hostProcess containers then all containers must be HostProcess containers";
  const network = "hostNetwork must be true if pod contains any hostProcess containers";
  const isMixed = hosted.length > 0 && hosted.length !== containers.length;
  const isOff = hosted.length > 0 && spec.hostNetwork !== true;
  return [
    ...containers.flatMap(({ own, at }) =>
      own === undefined || ofPod === undefined || own === ofPod
        ? []
        : [FieldError.invalid(at, own, identical)],
    ),
    ...(isMixed ? [FieldError.invalid(path, "", all)] : []),
    ...(isOff ? [FieldError.invalid(path.child("hostNetwork"), false, network)] : []),
  ];
}
