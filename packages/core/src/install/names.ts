import { providerLabel } from "@rookery/cluster-api";
import { providerNames } from "@rookery/runtime";

const prefix = "rookery-core";

/** What the objects of an installation are called. */
export const names = providerNames(prefix, prefix);

/** On every object: what clusterctl finds the provider by. */
export const labels = { [providerLabel]: prefix };
