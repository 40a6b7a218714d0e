import { providerLabel } from "@rookery/cluster-api";
import type { ControllerSet } from "../flags.ts";

/** What the objects of an installation are called, one for each of both providers. */
export interface InstallationNames {
  readonly controllers: ControllerSet;
  readonly namespace: string;
  readonly manager: string;
  readonly role: string;
  readonly webhookService: string;
  readonly webhookConfiguration: string;
  /** On every object: what clusterctl finds the provider by. */
  readonly labels: { readonly [providerLabel]: string };
}

export const infrastructureNames = namesOf("infrastructure", "capn");
export const controlPlaneNames = namesOf("control-plane", "capn-control-plane");

function namesOf(controllers: ControllerSet, prefix: string): InstallationNames {
  return {
    controllers,
    namespace: `${prefix}-system`,
    manager: `${prefix}-controller-manager`,
    role: `${prefix}-manager-role`,
    webhookService: `${prefix}-webhook-service`,
    webhookConfiguration: `${prefix}-validating-webhook-configuration`,
    labels: { [providerLabel]: `${controllers}-nested` },
  };
}
