import type { KubeObject, Resource } from "@rookery/kube";
import type { WebhookConfiguration } from "@rookery/runtime";

/** What the tests of webhooks need of the API. */
export interface ConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

export interface Nest extends KubeObject {
  readonly spec?: Readonly<Record<string, unknown>>;
}

export const configMaps = resource("", "v1", "ConfigMap");
export const secrets = resource("", "v1", "Secret");
export const validatingConfigurations = clusterWide(
  resource("admissionregistration.k8s.io", "v1", "ValidatingWebhookConfiguration"),
);
export const mutatingConfigurations = clusterWide(
  resource("admissionregistration.k8s.io", "v1", "MutatingWebhookConfiguration"),
);
export const definitions = clusterWide(
  resource("apiextensions.k8s.io", "v1", "CustomResourceDefinition"),
);

export const nestGroup = "webhook.testing.rookery.dev";
export const nests = {
  v1: resource(nestGroup, "v1", "Nest"),
  v2: resource(nestGroup, "v2", "Nest"),
};

function resource(group: string, version: string, kind: string): Resource {
  const singular = kind.toLowerCase();
  return { group, version, kind, singular, plural: `${singular}s`, namespaced: true };
}

function clusterWide(namespaced: Resource): Resource {
  return { ...namespaced, namespaced: false };
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
