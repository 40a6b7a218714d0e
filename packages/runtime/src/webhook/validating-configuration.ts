import type { Resource } from "@rookery/kube";
import type { AdmissionOperation } from "./admission-review.ts";
import type { WebhookConfiguration } from "./ca-bundle-injector.ts";
import { validatingPath } from "./webhook.ts";

/** Where API servers reach the webhooks: a Service, or an address for those who have none. */
export type WebhookAddress =
  | { readonly service: { readonly namespace: string; readonly name: string } }
  | { readonly url: string };

/** A kind that a webhook judges, and when. */
export interface JudgedKind {
  readonly resource: Resource;
  readonly operations: readonly AdmissionOperation[];
}

/** A configuration for validating webhooks; its authorities are filled in by who serves them. */
export function validatingConfiguration(
  name: string,
  address: WebhookAddress,
  judged: readonly JudgedKind[],
): WebhookConfiguration {
  const webhooks = judged.map(({ resource, operations }) => ({
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
