import type {
  AppArmorProfile,
  PodSecurityContext,
  PodSpec,
  SeccompProfile,
  SecurityContext,
  Sysctl,
} from "@rookery/api";
import { matches, oneOf, unique, userId } from "../meta/checks.ts";
import { each, firstOf, optional, required } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";
import { goStruct } from "../meta/internal-form.ts";
import type { Rule, Rules } from "../meta/rules.ts";
import { descendingPath } from "./paths.ts";
import { windowsOptions } from "./windows-options.ts";

const segment = "[a-z0-9]([-_a-z0-9]*[a-z0-9])?";
const format = `^(${segment}[\\./])*${segment}$`;
const pattern = new RegExp(format);
const maxLength = 253;
const ipcPrefixes = ["kernel.shm", "kernel.msg", "fs.mqueue."];

const name = required<string>(
  firstOf(
    matches(
      (text) => text.length <= maxLength && pattern.test(text),
      `must have at most ${maxLength} characters and match regex ${format}`,
    ),
    unique,
  ),
);

/** Go: validateSysctls. Pods cannot change sysctls of namespaces of the host. */
const sysctl: Rules<Sysctl, PodSpec> = {
  name: [
    name,
    (name = "", field) => {
      const { hostNetwork, hostIPC } = field.scope;
      const dotted = name.replaceAll("/", ".");
      const isIpc = dotted === "kernel.sem" || ipcPrefixes.some((each) => dotted.startsWith(each));
      if (hostNetwork === true && dotted.startsWith("net.")) {
        field.invalid(name, "may not be specified when 'hostNetwork' is true");
      } else if (hostIPC === true && isIpc) {
        field.invalid(name, "may not be specified when 'hostIPC' is true");
      }
    },
  ],
};

const sysctls = each(sysctl);

const profileType = oneOf("Localhost", "RuntimeDefault", "Unconfined");
const maxProfileLength = 4095;
const id = optional(userId);

/** Go: validateSeccompProfileField. */
const seccompProfile: Rules<SeccompProfile | undefined> = [
  { type: required(profileType, "type is required when seccompProfile is set") },
  optional((profile, field) => {
    const { type = "", localhostProfile } = profile;
    const at = field.child("localhostProfile");
    if (type === "Localhost") {
      if (localhostProfile === undefined) at.required("must be set when seccomp type is Localhost");
      else descendingPath(localhostProfile, at);
    } else if (localhostProfile !== undefined) {
      const detail = "can only be set when seccomp type is Localhost";
      at.invalid(goStruct("SeccompProfile", profile), detail);
    }
  }),
];

const localhostProfile: Rule<string | undefined> = required(
  [
    matches((text) => text === text.trim(), "must not be padded with whitespace"),
    (text, field) => {
      if (text.length > maxProfileLength) field.tooLong(maxProfileLength);
    },
  ],
  "must be set when AppArmor type is Localhost",
);

/** Go: ValidateAppArmorProfileField. */
const appArmorProfile = optional<AppArmorProfile>(
  firstOf<AppArmorProfile>(
    { type: required(profileType, "type is required when appArmorProfile is set") },
    ({ type, localhostProfile: profile }, field) => {
      const at = field.child("localhostProfile");
      if (type === "Localhost") localhostProfile(profile, at);
      else if (profile !== undefined) {
        at.invalid(profile, "can only be set when AppArmor type is Localhost");
      }
    },
  ),
);

interface UserScope {
  /** False for a pod with its own user namespace. */
  readonly hostUsers: boolean;
}

const procMount = optional<string, UserScope>([
  oneOf("Default", "Unmasked"),
  (type, field) => {
    if (!field.scope.hostUsers || type !== "Unmasked") return;
    field.invalid(type, "`hostUsers` must be false to use `Unmasked`");
  },
]);

function escalation(context: SecurityContext, field: Field): void {
  const { allowPrivilegeEscalation, privileged, capabilities } = context;
  if (allowPrivilegeEscalation !== false) return;
  const prefix = "cannot set `allowPrivilegeEscalation` to false and";
  const added = (capabilities?.add ?? []).filter((name) => name === "CAP_SYS_ADMIN");
  field.invalidEach(goStruct("SecurityContext", context), [
    ...(privileged === true ? [`${prefix} \`privileged\` to true`] : []),
    ...added.map(() => `${prefix} \`capabilities.Add\` CAP_SYS_ADMIN`),
  ]);
}

/** Go: ValidateSecurityContext. */
export const securityContext: Rules<SecurityContext | undefined, UserScope> = [
  { runAsUser: id, runAsGroup: id, procMount, seccompProfile },
  optional(escalation),
  { windowsOptions, appArmorProfile },
];

const podContext: Rules<PodSecurityContext, PodSpec> = [
  { fsGroup: id, runAsUser: id, runAsGroup: id, supplementalGroups: each(userId) },
  (_context, field) => {
    const { shareProcessNamespace, hostPID } = field.scope;
    if (shareProcessNamespace !== true || hostPID !== true) return;
    const detail = "ShareProcessNamespace and HostPID cannot both be enabled";
    field.child("shareProcessNamespace").invalid(true, detail);
  },
  {
    sysctls,
    fsGroupChangePolicy: optional(oneOf("Always", "OnRootMismatch")),
    seccompProfile,
    windowsOptions,
    appArmorProfile,
    supplementalGroupsPolicy: optional(oneOf("Merge", "Strict")),
    seLinuxChangePolicy: optional(oneOf("Recursive")),
  },
];

/** Go: ValidatePodSecurityContext. The scope is the pod. */
export const podSecurityContext = optional(podContext);
