import {
  type CustomResourceDefinition,
  customResourceDefinitionOf,
  providerKinds,
} from "@rookery/api";
import { clusterctlCoreLabel, clusterctlGroup, clusterctlLabel } from "@rookery/cluster-api";
import type { Installation } from "./installation.ts";

/** The operator's own kinds, and clusterctl's record of what is installed. */
export function customResourceDefinitions({ labels }: Installation): readonly object[] {
  const own = providerKinds.map(customResourceDefinitionOf).map((definition) => ({
    ...definition,
    metadata: { ...definition.metadata, labels: { ...definition.metadata.labels, ...labels } },
  }));
  return [...own, clusterctlInventory];
}

const field = (description: string) => ({ type: "string", description }) as const;

/** Equal to clusterctl's own, which does not replace it. */
const clusterctlInventory: CustomResourceDefinition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: {
    name: `providers.${clusterctlGroup}`,
    labels: { [clusterctlLabel]: "", [clusterctlCoreLabel]: "inventory" },
  },
  spec: {
    group: clusterctlGroup,
    names: {
      kind: "Provider",
      listKind: "ProviderList",
      plural: "providers",
      singular: "provider",
      categories: ["cluster-api"],
    },
    scope: "Namespaced",
    versions: [
      {
        name: "v1alpha3",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            description: "A provider that is installed, as clusterctl records it.",
            properties: {
              apiVersion: { type: "string" },
              kind: { type: "string" },
              metadata: { type: "object" },
              providerName: field("The name of the provider, such as aws."),
              type: field("The kind of the provider, such as InfrastructureProvider."),
              version: field("The version that is installed."),
              watchedNamespace: field("The one namespace that is watched; all where empty."),
            },
          },
        },
        additionalPrinterColumns: [
          { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
          { name: "Type", type: "string", jsonPath: ".type" },
          { name: "Provider", type: "string", jsonPath: ".providerName" },
          { name: "Version", type: "string", jsonPath: ".version" },
        ],
      },
    ],
  },
};
