import { builtInResources, type KubeObject, type Resource } from "@rookery/kube";
import type { WebhookConfiguration } from "@rookery/runtime";

/** What the tests of webhooks need of the API. */
export interface ConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

export interface Nest extends KubeObject {
  readonly spec?: Readonly<Record<string, unknown>>;
}

export const {
  configMaps,
  customResourceDefinitions: definitions,
  mutatingWebhookConfigurations: mutatingConfigurations,
  secrets,
  validatingWebhookConfigurations: validatingConfigurations,
} = builtInResources;

export const nestGroup = "webhook.testing.rookery.dev";
export const nests = {
  v1: nestsIn("v1"),
  v2: nestsIn("v2"),
};

function nestsIn(version: string): Resource {
  const group = nestGroup;
  return { group, version, kind: "Nest", plural: "nests", singular: "nest", namespaced: true };
}

/** A configuration with one webhook, for the ConfigMaps of one namespace. */
export function webhookConfiguration(
  { kind }: Resource,
  options: { readonly name: string; readonly url: string; readonly namespace: string },
): WebhookConfiguration {
  const { name, url, namespace } = options;
  const rule = { apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] };
  const webhook = {
    name: `${name}.rookery.dev`,
    clientConfig: { url },
    admissionReviewVersions: ["v1"],
    sideEffects: "NoneOnDryRun",
    failurePolicy: "Fail",
    timeoutSeconds: 30,
    namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": namespace } },
    rules: [{ ...rule, operations: ["CREATE", "UPDATE", "DELETE"], scope: "Namespaced" }],
  };
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind,
    metadata: { name },
    webhooks: [webhook],
  };
}

/** Nests: v1 has spec.eggs, v2 has spec.clutch. */
export function nestDefinition(url: string) {
  const version = (name: string, field: string, storage: boolean) => ({
    name,
    served: true,
    storage,
    schema: {
      openAPIV3Schema: {
        type: "object",
        properties: { spec: { type: "object", properties: { [field]: { type: "integer" } } } },
      },
    },
  });
  const spec = {
    group: nestGroup,
    scope: "Namespaced",
    names: { plural: "nests", singular: "nest", kind: "Nest", listKind: "NestList" },
    versions: [version("v1", "eggs", true), version("v2", "clutch", false)],
    conversion: {
      strategy: "Webhook",
      webhook: { clientConfig: { url }, conversionReviewVersions: ["v1"] },
    },
  };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `nests.${nestGroup}` },
    spec,
  } as const;
}
