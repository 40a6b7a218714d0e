import type { Check } from "./check.ts";
import {
  hostNamespaces,
  hostPathVolumes,
  hostPorts,
  hostProbes,
  privileged,
  procMount,
  windowsHostProcess,
} from "./host-checks.ts";
import {
  appArmorProfile,
  capabilitiesBaseline,
  seccompBaseline,
  seLinuxOptions,
  sysctls,
} from "./profile-checks.ts";

/** In the order in which they are told. */
export const baselineChecks: readonly Check[] = [
  ...[appArmorProfile, capabilitiesBaseline, hostNamespaces, hostPathVolumes, hostPorts],
  ...[hostProbes, privileged, procMount, seLinuxOptions, seccompBaseline, sysctls],
  windowsHostProcess,
];
