import {
  type Check,
  containersOf,
  containersThat,
  isWindows,
  joinQuote,
  namedContainers,
  plural,
  setters,
  sortedUnique,
} from "./check.ts";
import { hostPathVolumes } from "./host-checks.ts";
import type { Container, Volume } from "./pod-spec.ts";
import { badSeccompTypes, capabilitiesBaseline, seccompBaseline } from "./profile-checks.ts";

const allowPrivilegeEscalation: Check = {
  since: 8,
  violation: (pod, minor) => {
    if (minor >= 25 && isWindows(pod)) return undefined;
    const bad = containersThat(
      pod,
      ({ securityContext }) => securityContext?.allowPrivilegeEscalation !== false,
    );
    if (bad.length === 0) return undefined;
    const detail = `${namedContainers(bad)} must set securityContext.allowPrivilegeEscalation=false`;
    return { reason: "allowPrivilegeEscalation != false", detail };
  },
};

const capabilities: Check = {
  since: 22,
  overrides: capabilitiesBaseline,
  violation: (pod, minor) => {
    if (minor >= 25 && isWindows(pod)) return undefined;
    const of = ({ securityContext }: Container) => securityContext?.capabilities ?? {};
    const keeping = containersThat(pod, (each) => !of(each).drop?.includes("ALL"));
    const added = (each: Container) =>
      (of(each).add ?? []).filter((name) => name !== "NET_BIND_SERVICE");
    const adding = containersThat(pod, (each) => added(each).length > 0);
    const names = joinQuote(sortedUnique(containersOf(pod).flatMap(added)));
    const details = [
      ...(keeping.length > 0
        ? [`${namedContainers(keeping)} must set securityContext.capabilities.drop=["ALL"]`]
        : []),
      ...(adding.length > 0
        ? [
            `${namedContainers(adding)} must not include ${names} in securityContext.capabilities.add`,
          ]
        : []),
    ];
    if (details.length === 0) return undefined;
    return { reason: "unrestricted capabilities", detail: details.join("; ") };
  },
};

const goodVolumes = [
  ...["configMap", "csi", "downwardAPI", "emptyDir", "ephemeral", "image"],
  ...["persistentVolumeClaim", "projected", "secret"],
];

const restrictedVolumes: Check = {
  since: 0,
  overrides: hostPathVolumes,
  violation: ({ spec }) => {
    const bad = (spec.volumes ?? []).filter((volume) => !goodVolumes.includes(typeOf(volume)));
    if (bad.length === 0) return undefined;
    const names = joinQuote(bad.map(({ name = "" }) => name));
    const types = sortedUnique(bad.map(typeOf));
    const use = plural("uses", bad.length, "use");
    const what = `${plural("restricted volume type", types.length)} ${joinQuote(types)}`;
    const detail = `${plural("volume", bad.length)} ${names} ${use} ${what}`;
    return { reason: "restricted volume types", detail };
  },
};

/** One that the standard forbids, where a volume that no server has judged yet has several. */
function typeOf({ name: _, ...source }: Volume): string {
  const types = Object.keys(source);
  return types.find((type) => !goodVolumes.includes(type)) ?? types[0] ?? "unknown";
}

const runAsNonRoot: Check = {
  since: 0,
  violation: (pod) => {
    const own = pod.spec.securityContext?.runAsNonRoot;
    const of = ({ securityContext }: Container) => securityContext?.runAsNonRoot;
    const explicit = setters(
      own === false,
      containersThat(pod, (each) => of(each) === false),
    );
    const reason = "runAsNonRoot != true";
    if (explicit !== "") {
      return { reason, detail: `${explicit} must not set securityContext.runAsNonRoot=false` };
    }
    const implicit = containersThat(pod, (each) => of(each) === undefined && own !== true);
    if (implicit.length === 0) return undefined;
    const who = namedContainers(implicit);
    return { reason, detail: `pod or ${who} must set securityContext.runAsNonRoot=true` };
  },
};

const runAsUser: Check = {
  since: 23,
  violation: (pod) => {
    const who = setters(
      pod.spec.securityContext?.runAsUser === 0,
      containersThat(pod, ({ securityContext }) => securityContext?.runAsUser === 0),
    );
    if (who === "") return undefined;
    return { reason: "runAsUser=0", detail: `${who} must not set runAsUser=0` };
  },
};

const seccomp: Check = {
  since: 19,
  overrides: seccompBaseline,
  violation: (pod, minor) => {
    if (minor >= 25 && isWindows(pod)) return undefined;
    const field = "securityContext.seccompProfile.type";
    const { who, types } = badSeccompTypes(pod);
    const reason = "seccompProfile";
    if (who !== "") {
      const values = joinQuote(sortedUnique(types));
      return { reason, detail: `${who} must not set ${field} to ${values}` };
    }
    const isSet = pod.spec.securityContext?.seccompProfile !== undefined;
    const implicit = containersThat(
      pod,
      ({ securityContext }) => securityContext?.seccompProfile === undefined && !isSet,
    );
    if (implicit.length === 0) return undefined;
    const wanted = `must set ${field} to "RuntimeDefault" or "Localhost"`;
    return { reason, detail: `pod or ${namedContainers(implicit)} ${wanted}` };
  },
};

/** In the order in which they are told, after those of the level below. */
export const restrictedChecks: readonly Check[] = [
  ...[allowPrivilegeEscalation, capabilities, restrictedVolumes, runAsNonRoot, runAsUser],
  seccomp,
];
