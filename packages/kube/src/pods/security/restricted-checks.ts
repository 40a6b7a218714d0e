import {
  badValues,
  type Check,
  check,
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

const allowPrivilegeEscalation = check(
  "allowPrivilegeEscalation != false",
  (pod, minor) => {
    if (minor >= 25 && isWindows(pod)) return undefined;
    const bad = containersThat(
      pod,
      ({ securityContext }) => securityContext?.allowPrivilegeEscalation !== false,
    );
    if (bad.length === 0) return undefined;
    return `${namedContainers(bad)} must set securityContext.allowPrivilegeEscalation=false`;
  },
  { since: 8 },
);

const capabilities = check(
  "unrestricted capabilities",
  (pod, minor) => {
    if (minor >= 25 && isWindows(pod)) return undefined;
    const field = "securityContext.capabilities";
    const of = ({ securityContext }: Container) => securityContext?.capabilities ?? {};
    const keeping = containersThat(pod, (each) => !of(each).drop?.includes("ALL"));
    const adding = badValues(pod, (each) =>
      (of(each).add ?? []).filter((name) => name !== "NET_BIND_SERVICE"),
    );
    const details = [
      ...(keeping.length > 0 ? [`${namedContainers(keeping)} must set ${field}.drop=["ALL"]`] : []),
      ...(adding
        ? [
            `${namedContainers(adding.bad)} must not include ${joinQuote(adding.values)} in ${field}.add`,
          ]
        : []),
    ];
    return details.length === 0 ? undefined : details.join("; ");
  },
  { since: 22, overrides: capabilitiesBaseline },
);

const goodVolumes = [
  ...["configMap", "csi", "downwardAPI", "emptyDir", "ephemeral", "image"],
  ...["persistentVolumeClaim", "projected", "secret"],
];

const restrictedVolumes = check(
  "restricted volume types",
  ({ spec }) => {
    const bad = (spec.volumes ?? []).filter((volume) => !goodVolumes.includes(typeOf(volume)));
    if (bad.length === 0) return undefined;
    const names = joinQuote(bad.map(({ name = "" }) => name));
    const types = sortedUnique(bad.map(typeOf));
    const use = plural("uses", bad.length, "use");
    const what = `${plural("restricted volume type", types.length)} ${joinQuote(types)}`;
    return `${plural("volume", bad.length)} ${names} ${use} ${what}`;
  },
  { overrides: hostPathVolumes },
);

/** A forbidden type first: an unvalidated volume may have several. */
function typeOf({ name: _, ...source }: Volume): string {
  const types = Object.keys(source);
  return types.find((type) => !goodVolumes.includes(type)) ?? types[0] ?? "unknown";
}

const runAsNonRoot = check("runAsNonRoot != true", (pod) => {
  const own = pod.spec.securityContext?.runAsNonRoot;
  const of = ({ securityContext }: Container) => securityContext?.runAsNonRoot;
  const explicit = setters(
    own === false,
    containersThat(pod, (each) => of(each) === false),
  );
  if (explicit !== "") return `${explicit} must not set securityContext.runAsNonRoot=false`;
  const implicit = containersThat(pod, (each) => of(each) === undefined && own !== true);
  if (implicit.length === 0) return undefined;
  return `pod or ${namedContainers(implicit)} must set securityContext.runAsNonRoot=true`;
});

const runAsUser = check(
  "runAsUser=0",
  (pod) => {
    const who = setters(
      pod.spec.securityContext?.runAsUser === 0,
      containersThat(pod, ({ securityContext }) => securityContext?.runAsUser === 0),
    );
    return who === "" ? undefined : `${who} must not set runAsUser=0`;
  },
  { since: 23 },
);

const seccomp = check(
  "seccompProfile",
  (pod, minor) => {
    if (minor >= 25 && isWindows(pod)) return undefined;
    const field = "securityContext.seccompProfile.type";
    const { who, types } = badSeccompTypes(pod);
    if (who !== "") return `${who} must not set ${field} to ${joinQuote(sortedUnique(types))}`;
    const isSet = pod.spec.securityContext?.seccompProfile !== undefined;
    const implicit = containersThat(
      pod,
      ({ securityContext }) => securityContext?.seccompProfile === undefined && !isSet,
    );
    if (implicit.length === 0) return undefined;
    return `pod or ${namedContainers(implicit)} must set ${field} to "RuntimeDefault" or "Localhost"`;
  },
  { since: 19, overrides: seccompBaseline },
);

/** In the order of the report, after the checks of the lower level. */
export const restrictedChecks: readonly Check[] = [
  ...[allowPrivilegeEscalation, capabilities, restrictedVolumes, runAsNonRoot, runAsUser],
  seccomp,
];
