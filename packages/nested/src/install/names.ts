import { providerLabel } from "@rookery/cluster-api";
import { providerNames } from "@rookery/runtime";
import type { ControllerSet } from "../flags.ts";

/** What the objects of an installation are called, one for each of both providers. */
export type InstallationNames = ReturnType<typeof namesOf>;

export const infrastructureNames = namesOf("infrastructure", "capn");
export const controlPlaneNames = namesOf("control-plane", "capn-control-plane");

function namesOf(controllers: ControllerSet, prefix: string) {
  return {
    ...providerNames(prefix),
    controllers,
    /** On every object: what clusterctl finds the provider by. */
    labels: { [providerLabel]: `${controllers}-nested` },
  };
}
