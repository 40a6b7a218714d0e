import {
  type AdmissionOperation,
  mutatingConfiguration,
  validatingConfiguration,
  type WebhookAddress,
  type WebhookConfiguration,
} from "@rookery/runtime";
import { clusters, machines, resourceSetBindings, resourceSets } from "../resources.ts";

const operations: readonly AdmissionOperation[] = ["CREATE", "UPDATE"];
const validated = [clusters, machines, resourceSets, resourceSetBindings].map((resource) => ({
  resource,
  operations,
}));
const defaulted = [machines, resourceSets].map((resource) => ({ resource, operations }));

/** The ValidatingWebhookConfiguration of the core. */
export function validatingWebhookConfiguration(
  name: string,
  address: WebhookAddress,
): WebhookConfiguration {
  return validatingConfiguration(name, address, validated);
}

/** The MutatingWebhookConfiguration of the core. */
export function mutatingWebhookConfiguration(
  name: string,
  address: WebhookAddress,
): WebhookConfiguration {
  return mutatingConfiguration(name, address, defaulted);
}
