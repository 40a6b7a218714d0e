import { providerLabel } from "@rookery/cluster-api";
import { providerNames } from "@rookery/runtime";

/** The names of the objects of an installation. */
export const names = providerNames("caph");

/** The labels of every object: by them clusterctl finds the provider. */
export const labels = { [providerLabel]: "infrastructure-hosts" };
