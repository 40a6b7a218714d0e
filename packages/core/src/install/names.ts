import { providerLabel } from "@rookery/cluster-api";

const prefix = "rookery-core";

/** What the objects of an installation are called. */
export const names = {
  namespace: `${prefix}-system`,
  manager: prefix,
  role: `${prefix}-manager-role`,
  webhookService: `${prefix}-webhook-service`,
  validatingConfiguration: `${prefix}-validating-webhook-configuration`,
  mutatingConfiguration: `${prefix}-mutating-webhook-configuration`,
  /** On every object: what clusterctl finds the provider by. */
  labels: { [providerLabel]: prefix },
} as const;
