import { quote } from "../../go/quote.ts";
import {
  badValues,
  type Check,
  type CheckedPod,
  check,
  containersOf,
  containersThat,
  joinQuote,
  namedContainers,
  plural,
  setters,
  sortedUnique,
} from "./check.ts";
import type { SELinuxOptions } from "./pod-spec.ts";

// Baseline checks of kernel profiles.

const appArmorPrefix = "container.apparmor.security.beta.kubernetes.io/";
const goodAppArmor = (type: string | undefined) =>
  type === "RuntimeDefault" || type === "Localhost";

export const appArmorProfile: Check = {
  since: 0,
  violation: (pod) => {
    const bad = (profile: { type?: string } | undefined) =>
      profile !== undefined && !goodAppArmor(profile.type);
    const own = pod.spec.securityContext?.appArmorProfile;
    const containers = containersOf(pod).filter(({ securityContext }) =>
      bad(securityContext?.appArmorProfile),
    );
    const annotations = Object.entries(pod.metadata.annotations ?? {})
      .filter(([key, value]) => key.startsWith(appArmorPrefix) && !isGoodAnnotation(value))
      .map(([key, value]) => `${key}=${quote(value)}`)
      .toSorted();
    const types = [
      ...(own && bad(own) ? [own.type ?? ""] : []),
      ...containers.map((each) => each.securityContext?.appArmorProfile?.type ?? ""),
    ];
    const values = [...sortedUnique(types), ...annotations];
    if (values.length === 0) return undefined;
    const who = setters(
      bad(own),
      containers.map(({ name = "" }) => name),
    );
    const notes = annotations.length > 0 ? [plural("annotation", annotations.length)] : [];
    const all = [who, ...notes].filter((each) => each !== "").join(" and ");
    return {
      reason: plural("forbidden AppArmor profile", values.length),
      detail: `${all} must not set AppArmor profile type to ${joinQuote(values)}`,
    };
  },
};

function isGoodAnnotation(profile: string): boolean {
  return profile === "" || profile === "runtime/default" || profile.startsWith("localhost/");
}

const defaultCapabilities = [
  ...["AUDIT_WRITE", "CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "MKNOD"],
  ...["NET_BIND_SERVICE", "SETFCAP", "SETGID", "SETPCAP", "SETUID", "SYS_CHROOT"],
];

export const capabilitiesBaseline = check("non-default capabilities", (pod) => {
  const found = badValues(pod, ({ securityContext }) =>
    (securityContext?.capabilities?.add ?? []).filter(
      (each) => !defaultCapabilities.includes(each),
    ),
  );
  if (!found) return undefined;
  const names = joinQuote(found.values);
  return `${namedContainers(found.bad)} must not include ${names} in securityContext.capabilities.add`;
});

const seLinuxTypes = ["", "container_t", "container_init_t", "container_kvm_t"];

export const seLinuxOptions = check("seLinuxOptions", (pod, minor) => {
  const types = minor >= 31 ? [...seLinuxTypes, "container_engine_t"] : seLinuxTypes;
  const isBad = (options: SELinuxOptions | undefined) =>
    options !== undefined &&
    (!types.includes(options.type ?? "") || Boolean(options.user || options.role));
  const own = pod.spec.securityContext?.seLinuxOptions;
  const who = setters(
    isBad(own),
    containersThat(pod, (each) => isBad(each.securityContext?.seLinuxOptions)),
  );
  if (who === "") return undefined;
  const all = containersOf(pod).map((each) => each.securityContext?.seLinuxOptions);
  const bad = [own, ...all].filter(isBad);
  const badTypes = sortedUnique(bad.map((each) => each?.type ?? "")).filter(
    (type) => !types.includes(type),
  );
  const data = [
    ...(badTypes.length > 0 ? [`${plural("type", badTypes.length)} ${joinQuote(badTypes)}`] : []),
    ...(bad.some((each) => each?.user) ? ["user may not be set"] : []),
    ...(bad.some((each) => each?.role) ? ["role may not be set"] : []),
  ];
  return `${who} set forbidden securityContext.seLinuxOptions: ${data.join("; ")}`;
});

/** Profiles other than RuntimeDefault and Localhost. */
export function badSeccompTypes(pod: CheckedPod) {
  const isBad = (type: string | undefined) => type !== "RuntimeDefault" && type !== "Localhost";
  const own = pod.spec.securityContext?.seccompProfile;
  const containers = containersOf(pod).filter(({ securityContext }) => {
    const { seccompProfile } = securityContext ?? {};
    return seccompProfile !== undefined && isBad(seccompProfile.type);
  });
  const isPodBad = own !== undefined && isBad(own.type);
  const types = [
    ...(isPodBad ? [own.type ?? ""] : []),
    ...containers.map((each) => each.securityContext?.seccompProfile?.type ?? ""),
  ];
  return {
    who: setters(
      isPodBad,
      containers.map(({ name = "" }) => name),
    ),
    types,
  };
}

const seccompPod = "seccomp.security.alpha.kubernetes.io/pod";
const seccompPrefix = "container.seccomp.security.alpha.kubernetes.io/";

export const seccompBaseline = check("seccompProfile", (pod, minor) => {
  if (minor < 19) return seccompAnnotations(pod);
  const { who, types } = badSeccompTypes(pod);
  if (who === "") return undefined;
  const values = joinQuote(sortedUnique(types));
  return `${who} must not set securityContext.seccompProfile.type to ${values}`;
});

/** Older versions have annotations instead of fields. */
function seccompAnnotations(pod: CheckedPod): string | undefined {
  const { annotations = {} } = pod.metadata;
  const keys = [seccompPod, ...containersOf(pod).map(({ name = "" }) => `${seccompPrefix}${name}`)];
  const isGood = (value: string) =>
    ["runtime/default", "docker/default"].includes(value) || value.startsWith("localhost/");
  const bad = sortedUnique(
    keys.flatMap((key) => {
      const value = annotations[key];
      return value === undefined || isGood(value) ? [] : [`${key}=${quote(value)}`];
    }),
  );
  if (bad.length === 0) return undefined;
  return `forbidden ${plural("annotation", bad.length)} ${bad.join(", ")}`;
}

// biome-ignore format: a list of words
const allowedSysctls: readonly (readonly [since: number, names: readonly string[]])[] = [
  [0, [
    "kernel.shm_rmid_forced", "net.ipv4.ip_local_port_range", "net.ipv4.tcp_syncookies",
    "net.ipv4.ping_group_range", "net.ipv4.ip_unprivileged_port_start",
  ]],
  [27, ["net.ipv4.ip_local_reserved_ports"]],
  [29, [
    "net.ipv4.tcp_keepalive_time", "net.ipv4.tcp_fin_timeout", "net.ipv4.tcp_keepalive_intvl",
    "net.ipv4.tcp_keepalive_probes",
  ]],
  [32, ["net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem"]],
];

export const sysctls = check("forbidden sysctls", ({ spec }, minor) => {
  const allowed = allowedSysctls.flatMap(([since, names]) => (minor >= since ? names : []));
  const names = (spec.securityContext?.sysctls ?? []).map(({ name = "" }) => name);
  const bad = names.filter((name) => !allowed.includes(name));
  return bad.length === 0 ? undefined : bad.join(", ");
});
