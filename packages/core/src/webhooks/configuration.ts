import type { Resource } from "@rookery/kube";
import {
  type AdmissionOperation,
  mutatingPath,
  validatingConfiguration,
  type WebhookAddress,
  type WebhookConfiguration,
} from "@rookery/runtime";
import { clusters, machines, resourceSetBindings, resourceSets } from "../resources.ts";

const operations: readonly AdmissionOperation[] = ["CREATE", "UPDATE"];
const defaulted: readonly Resource[] = [machines, resourceSets];

/** The ValidatingWebhookConfiguration of the core. */
export function validatingWebhookConfiguration(
  name: string,
  address: WebhookAddress,
): WebhookConfiguration {
  const judged = [clusters, machines, resourceSets, resourceSetBindings];
  return validatingConfiguration(
    name,
    address,
    judged.map((resource) => ({ resource, operations })),
  );
}

/** The MutatingWebhookConfiguration of the core. */
export function mutatingWebhookConfiguration(
  name: string,
  address: WebhookAddress,
): WebhookConfiguration {
  const { webhooks = [] } = validatingConfiguration(
    name,
    address,
    defaulted.map((resource) => ({ resource, operations })),
  );
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "MutatingWebhookConfiguration",
    metadata: { name },
    webhooks: webhooks.map((webhook, index) => {
      const resource = defaulted[index] ?? machines;
      const path = mutatingPath(resource);
      const clientConfig =
        "service" in address
          ? { service: { ...address.service, path } }
          : { url: address.url + path };
      return { ...webhook, name: `default.${resource.singular}.${resource.group}`, clientConfig };
    }),
  };
}
