import { providerLabel } from "@rookery/cluster-api";
import { providerNames } from "@rookery/runtime";
import { managerName } from "../manager-name.ts";

/** The names of an installation's objects, which are those of the upstream provider. */
export const names = providerNames("capv", managerName);

/** On every object: what clusterctl finds the provider by. */
export const labels = { [providerLabel]: "infrastructure-vsphere" } as const;

/** The controller's own vCenter account, and the authorities of vCenters. */
export const credentials = { name: "capv-manager-credentials", folder: "/etc/capv/credentials" };
export const authorities = { name: "capv-vcenter-authorities", folder: "/etc/capv/authorities" };

/** A variable of a release's files, as clusterctl replaces it; one without a default must be given. */
export function variable(name: string, fallback?: string | number): string {
  return `\${${name}${fallback === undefined ? "" : `:=${fallback}`}}`;
}

/** One that may be left out. clusterctl takes an empty default for none; space alone is read as empty. */
export function optional(name: string): string {
  return variable(name, " ");
}
