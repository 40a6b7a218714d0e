import { providerLabel } from "@rookery/cluster-api";
import { providerNames } from "@rookery/runtime";

const prefix = "rookery-core";

/** The names of the objects of an installation. */
export const names = providerNames(prefix, prefix);

/** The labels of every object, by which clusterctl finds the provider. */
export const labels = { [providerLabel]: prefix };
