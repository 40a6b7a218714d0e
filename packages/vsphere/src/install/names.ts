import { providerLabel } from "@rookery/cluster-api";
import { providerNames } from "@rookery/runtime";
import { managerName } from "../manager-name.ts";

/** The names of an installation's objects, which are those of the upstream provider. */
export const names = providerNames("capv", managerName);

/** The labels of every object, by which clusterctl finds the provider. */
export const labels = { [providerLabel]: "infrastructure-vsphere" } as const;

/** The controller's own vCenter account, and the authorities of vCenters. */
export const credentials = { name: "capv-manager-credentials", folder: "/etc/capv/credentials" };
export const authorities = { name: "capv-vcenter-authorities", folder: "/etc/capv/authorities" };

/** A variable of a release's files, which clusterctl replaces. Without a default it is required. */
export function variable(name: string, fallback?: string | number): string {
  return `\${${name}${fallback === undefined ? "" : `:=${fallback}`}}`;
}

/** An optional variable. clusterctl treats an empty default as none; a space is read as empty. */
export function optional(name: string): string {
  return variable(name, " ");
}
