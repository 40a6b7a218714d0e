import {
  credentialIssuer,
  customResourceDefinitionOf,
  jwtAuthenticator,
  webhookAuthenticator,
} from "@rookery/api";
import { identityGroup, loginGroup } from "../groups.ts";
import type { Instance } from "./instance.ts";

/** The CustomResourceDefinitions under the groups of the instance. */
export function customResourceDefinitions(instance: Instance): object[] {
  return [credentialIssuer, jwtAuthenticator, webhookAuthenticator]
    .map(customResourceDefinitionOf)
    .map((definition) => {
      const group = instance.group(definition.spec.group);
      return {
        ...definition,
        metadata: {
          ...definition.metadata,
          name: `${definition.spec.names.plural}.${group}`,
          labels: { ...definition.metadata.labels, ...instance.labels },
        },
        spec: { ...definition.spec, group },
      };
    });
}

/** Both without a caBundle: the concierge puts it there, and renews it. */
export function apiServices(instance: Instance): object[] {
  const { labels, name, namespace } = instance;
  return [loginGroup, identityGroup].map((defaultGroup) => {
    const group = instance.group(defaultGroup);
    return {
      apiVersion: "apiregistration.k8s.io/v1",
      kind: "APIService",
      metadata: { name: `v1alpha1.${group}`, labels },
      spec: {
        group,
        version: "v1alpha1",
        groupPriorityMinimum: 9900,
        versionPriority: 15,
        service: { name, namespace, port: 443 },
      },
    };
  });
}
