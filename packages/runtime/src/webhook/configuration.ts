import type { GroupVersionKind, Resource } from "@rookery/kube";
import type { AdmissionOperation } from "./admission-review.ts";
import type { WebhookConfiguration } from "./ca-bundle-injector.ts";
import { mutatingPath, validatingPath } from "./webhook.ts";

/** The address of the webhooks: a Service, or a URL. */
export type WebhookAddress =
  | { readonly service: { readonly namespace: string; readonly name: string } }
  | { readonly url: string };

/** A kind with a webhook, and the operations that call it. */
export interface JudgedKind {
  readonly resource: Resource;
  readonly operations: readonly AdmissionOperation[];
}

type Described = readonly [
  configuration: "Validating" | "Mutating",
  prefix: string,
  pathOf: (kind: GroupVersionKind) => string,
];

/** A configuration for validating webhooks; the server of the webhooks adds its authorities. */
export function validatingConfiguration(
  name: string,
  address: WebhookAddress,
  judged: readonly JudgedKind[],
): WebhookConfiguration {
  return configuration(["Validating", "validation", validatingPath], { name, address, judged });
}

/** A configuration for mutating webhooks; the server of the webhooks adds its authorities. */
export function mutatingConfiguration(
  name: string,
  address: WebhookAddress,
  judged: readonly JudgedKind[],
): WebhookConfiguration {
  return configuration(["Mutating", "default", mutatingPath], { name, address, judged });
}

interface Configured {
  readonly name: string;
  readonly address: WebhookAddress;
  readonly judged: readonly JudgedKind[];
}

function configuration(
  [kind, prefix, pathOf]: Described,
  { name, address, judged }: Configured,
): WebhookConfiguration {
  const webhooks = judged.map(({ resource, operations }) => ({
    name: `${prefix}.${resource.singular}.${resource.group}`,
    clientConfig: clientConfig(address, pathOf(resource)),
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
    kind: `${kind}WebhookConfiguration`,
    metadata: { name },
    webhooks,
  };
}

function clientConfig(address: WebhookAddress, path: string) {
  if ("service" in address) return { service: { ...address.service, path } };
  return { url: address.url + path };
}
