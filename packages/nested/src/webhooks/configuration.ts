import type { Resource } from "@rookery/kube";
import {
  validatingConfiguration,
  type WebhookAddress,
  type WebhookConfiguration,
} from "@rookery/runtime";
import { type ControllerSet, controllerSets } from "../flags.ts";
import {
  apiServers,
  clusters,
  clusterTemplates,
  controllerManagers,
  controlPlanes,
  controlPlaneTemplates,
  etcds,
} from "../resources.ts";

/** The kinds of each of both providers. */
const judged: Readonly<Record<ControllerSet, readonly Resource[]>> = {
  infrastructure: [clusters, clusterTemplates],
  "control-plane": [controlPlanes, controlPlaneTemplates, etcds, apiServers, controllerManagers],
};

export interface WebhookConfigurationOptions {
  readonly name: string;
  readonly address: WebhookAddress;
  /** Of which provider; of both where absent. */
  readonly controllers?: readonly ControllerSet[];
}

/** The ValidatingWebhookConfiguration of the provider. */
export function validatingWebhookConfiguration(
  options: WebhookConfigurationOptions,
): WebhookConfiguration {
  const { name, address, controllers = controllerSets } = options;
  const kinds = controllers
    .flatMap((one) => judged[one])
    .map((resource) => ({ resource, operations: ["CREATE", "UPDATE"] as const }));
  return validatingConfiguration(name, address, kinds);
}
