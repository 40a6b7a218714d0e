import type {
  AppArmorProfile,
  PodSecurityContext,
  PodSpec,
  SeccompProfile,
  SecurityContext,
} from "@rookery/api";
import { FieldError, type FieldPath } from "@rookery/kube";
import { invalidEach, validateSupported } from "../meta/field-rules.ts";
import { validateId } from "../meta/formats.ts";
import { goStruct } from "./internal-form.ts";
import { validateDescendingPath } from "./paths.ts";
import { validateSysctls } from "./sysctls.ts";
import { validateWindowsOptions } from "./windows-options.ts";

const profileTypes = ["Localhost", "RuntimeDefault", "Unconfined"];
const maxProfileLength = 4095;

/** The security context of a container. `hostUsers` is false in a user namespace of its own. */
export function validateSecurityContext(
  context: SecurityContext | undefined,
  hostUsers: boolean,
  path: FieldPath,
): FieldError[] {
  if (context === undefined) return [];
  const { runAsUser, runAsGroup, procMount, seccompProfile, appArmorProfile } = context;
  return [
    ...validateOptionalId(runAsUser, path.child("runAsUser")),
    ...validateOptionalId(runAsGroup, path.child("runAsGroup")),
    ...validateProcMount(procMount, hostUsers, path.child("procMount")),
    ...validateSeccomp(seccompProfile, path.child("seccompProfile")),
    ...validateEscalation(context, path),
    ...validateWindowsOptions(context.windowsOptions, path.child("windowsOptions")),
    ...validateAppArmor(appArmorProfile, path.child("appArmorProfile")),
  ];
}

function validateOptionalId(id: number | undefined, path: FieldPath): FieldError[] {
  return id === undefined ? [] : invalidEach(id, validateId(id), path);
}

function validateProcMount(
  type: string | undefined,
  hostUsers: boolean,
  path: FieldPath,
): FieldError[] {
  if (type === undefined) return [];
  const problems = validateSupported(type, ["Default", "Unmasked"], path);
  if (!hostUsers || type !== "Unmasked") return problems;
  const detail = "`hostUsers` must be false to use `Unmasked`";
  return [...problems, FieldError.invalid(path, type, detail)];
}

function validateEscalation(context: SecurityContext, path: FieldPath): FieldError[] {
  const { allowPrivilegeEscalation, privileged, capabilities } = context;
  if (allowPrivilegeEscalation !== false) return [];
  const prefix = "cannot set `allowPrivilegeEscalation` to false and";
  const added = (capabilities?.add ?? []).filter((name) => name === "CAP_SYS_ADMIN");
  const details = [
    ...(privileged === true ? [`${prefix} \`privileged\` to true`] : []),
    ...added.map(() => `${prefix} \`capabilities.Add\` CAP_SYS_ADMIN`),
  ];
  return invalidEach(goStruct("SecurityContext", context), details, path);
}

function validateSeccomp(profile: SeccompProfile | undefined, path: FieldPath): FieldError[] {
  if (profile === undefined) return [];
  const { type = "", localhostProfile } = profile;
  const at = path.child("localhostProfile");
  const problems =
    type === ""
      ? [FieldError.required(path.child("type"), "type is required when seccompProfile is set")]
      : validateSupported(type, profileTypes, path.child("type"));
  if (type !== "Localhost") {
    const detail = "can only be set when seccomp type is Localhost";
    return localhostProfile === undefined
      ? problems
      : [...problems, FieldError.invalid(at, goStruct("SeccompProfile", profile), detail)];
  }
  return localhostProfile === undefined
    ? [...problems, FieldError.required(at, "must be set when seccomp type is Localhost")]
    : [...problems, ...validateDescendingPath(localhostProfile, at)];
}

function validateAppArmor(profile: AppArmorProfile | undefined, path: FieldPath): FieldError[] {
  if (profile === undefined) return [];
  const { type = "", localhostProfile } = profile;
  const at = path.child("localhostProfile");
  if (type === "") {
    const detail = "type is required when appArmorProfile is set";
    return [FieldError.required(path.child("type"), detail)];
  }
  if (type === "Localhost") return validateLocalhostProfile(localhostProfile, at);
  const problems = validateSupported(type, profileTypes, path.child("type"));
  if (problems.length > 0 || localhostProfile === undefined) return problems;
  const detail = "can only be set when AppArmor type is Localhost";
  return [FieldError.invalid(at, localhostProfile, detail)];
}

function validateLocalhostProfile(profile: string | undefined, path: FieldPath): FieldError[] {
  const missing = FieldError.required(path, "must be set when AppArmor type is Localhost");
  if (profile === undefined || profile === "") return [missing];
  const detail = "must not be padded with whitespace";
  return [
    ...(profile.trim() === profile ? [] : [FieldError.invalid(path, profile, detail)]),
    ...(profile.length > maxProfileLength ? [FieldError.tooLong(path, maxProfileLength)] : []),
  ];
}

/** The security context of a pod. */
export function validatePodSecurityContext(spec: PodSpec, path: FieldPath): FieldError[] {
  const context = spec.securityContext;
  if (context === undefined) return [];
  const groups = context.supplementalGroups ?? [];
  return [
    ...validateOptionalId(context.fsGroup, path.child("fsGroup")),
    ...validateOptionalId(context.runAsUser, path.child("runAsUser")),
    ...validateOptionalId(context.runAsGroup, path.child("runAsGroup")),
    ...groups.flatMap((id, i) => validateOptionalId(id, path.child("supplementalGroups").index(i))),
    ...validateSharedProcesses(spec, path.child("shareProcessNamespace")),
    ...validateSysctls(spec, path.child("sysctls")),
    ...validatePodProfiles(context, path),
  ];
}

function validateSharedProcesses(
  { shareProcessNamespace, hostPID }: PodSpec,
  path: FieldPath,
): FieldError[] {
  if (shareProcessNamespace !== true || hostPID !== true) return [];
  const detail = "ShareProcessNamespace and HostPID cannot both be enabled";
  return [FieldError.invalid(path, true, detail)];
}

function validatePodProfiles(context: PodSecurityContext, path: FieldPath): FieldError[] {
  const { fsGroupChangePolicy, supplementalGroupsPolicy, seLinuxChangePolicy } = context;
  const choice = (value: string | undefined, choices: readonly string[], field: string) =>
    value === undefined ? [] : validateSupported(value, choices, path.child(field));
  return [
    ...choice(fsGroupChangePolicy, ["Always", "OnRootMismatch"], "fsGroupChangePolicy"),
    ...validateSeccomp(context.seccompProfile, path.child("seccompProfile")),
    ...validateWindowsOptions(context.windowsOptions, path.child("windowsOptions")),
    ...validateAppArmor(context.appArmorProfile, path.child("appArmorProfile")),
    ...choice(supplementalGroupsPolicy, ["Merge", "Strict"], "supplementalGroupsPolicy"),
    ...choice(seLinuxChangePolicy, ["Recursive"], "seLinuxChangePolicy"),
  ];
}
