import type { Resource } from "@rookery/kube";
import {
  type AdmissionOperation,
  validatingPath,
  type WebhookConfiguration,
} from "@rookery/runtime";
import {
  clusters,
  clusterTemplates,
  identities,
  machines,
  machineTemplates,
  virtualMachines,
} from "../resources.ts";

/** Where API servers reach the webhooks: a Service, or an address for those who have none. */
export type WebhookAddress =
  | { readonly service: { readonly namespace: string; readonly name: string } }
  | { readonly url: string };

const written: readonly AdmissionOperation[] = ["CREATE", "UPDATE"];
const judged: readonly (readonly [Resource, readonly AdmissionOperation[]])[] = [
  [clusters, written],
  [clusterTemplates, ["UPDATE"]],
  [identities, [...written, "DELETE"]],
  [machines, written],
  [machineTemplates, written],
  [virtualMachines, written],
];

/** The ValidatingWebhookConfiguration of the provider; its authorities are filled in by who serves it. */
export function validatingWebhookConfiguration(
  name: string,
  address: WebhookAddress,
): WebhookConfiguration {
  const webhooks = judged.map(([resource, operations]) => ({
    name: `validation.${resource.singular}.${resource.group}`,
    clientConfig: clientConfig(address, validatingPath(resource)),
    admissionReviewVersions: ["v1"],
    failurePolicy: "Fail",
    matchPolicy: "Equivalent",
    sideEffects: "None",
    rules: [
      {
        apiGroups: [resource.group],
        apiVersions: [resource.version],
        resources: [resource.plural],
        operations,
      },
    ],
  }));
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    metadata: { name },
    webhooks,
  };
}

function clientConfig(address: WebhookAddress, path: string) {
  if ("service" in address) return { service: { ...address.service, path } };
  return { url: address.url + path };
}
