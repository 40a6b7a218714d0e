import { providerLabel } from "@rookery/cluster-api";

export { managerName } from "../manager-name.ts";

/** What the objects of an installation are called, as users of the existing provider know them. */
export const namespaceName = "capv-system";
export const webhookServiceName = "capv-webhook-service";
export const webhookConfigurationName = "capv-validating-webhook-configuration";

/** On every object: what clusterctl finds the provider by. */
export const labels = { [providerLabel]: "infrastructure-vsphere" } as const;

/** On pods, for the Service and the Deployment. */
export const podLabels = { ...labels, "control-plane": "controller-manager" } as const;
