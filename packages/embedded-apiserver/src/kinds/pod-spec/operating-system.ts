import type { Container, PodSpec, SecurityContext } from "@rookery/api";
import { forbidden } from "../meta/checks.ts";
import { each } from "../meta/combinators.ts";
import type { Field } from "../meta/field.ts";
import { type FieldRules, ruleOf } from "../meta/rules.ts";

const notForLinux = forbidden("windows options cannot be set for a linux pod");
const notForWindows = forbidden("cannot be set for a windows pod");

const linux = ruleOf<PodSpec>([
  { securityContext: { windowsOptions: notForLinux } },
  inContainers({ windowsOptions: notForLinux }),
]);

/** The order of Kubernetes, which goes back and forth between the pod and its context. */
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

/** Go: validateOS. A pod that names its operating system sets no field of another one. */
export function operatingSystem(spec: PodSpec, field: Field): void {
  const name = spec.os?.name;
  if (name === "linux") linux(spec, field);
  else if (name === "windows") windows(spec, field);
  else if (name) field.child("os").notSupported(name, ["linux", "windows"]);
  else if (spec.os) field.child("os", "name").required();
}
