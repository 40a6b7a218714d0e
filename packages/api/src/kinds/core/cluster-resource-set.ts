import { list, object } from "../../declaration/collections.ts";
import { ageColumn, conditionColumn, textColumn } from "../../declaration/columns.ts";
import { optional, required } from "../../declaration/fields.ts";
import { conditions, labelSelector } from "../../declaration/fragments.ts";
import { defineKind, type ManifestOf, type ObjectOf } from "../../declaration/kind.ts";
import { boolean, enumeration, integer, string, time } from "../../declaration/scalars.ts";

import { coreLabels } from "./labels.ts";

/** Columns that only wide output shows, with the priority of Cluster API. */
const wide = { priority: 10 } as const;

const group = "addons.cluster.x-k8s.io";

const resourceFields = {
  name: required(string({ minLength: 1, maxLength: 253 }), "The name of the ConfigMap or Secret."),
  kind: required(enumeration("Secret", "ConfigMap"), "A ConfigMap, or a Secret."),
};

/** Resources that are applied to all clusters that a selector matches. */
export const clusterResourceSet = defineKind({
  group,
  kind: "ClusterResourceSet",
  plural: "clusterresourcesets",
  categories: ["cluster-api"],
  scope: "Namespaced",
  labels: coreLabels,
  versions: {
    v1beta2: {
      doc: "ClusterResourceSet is what is applied to every cluster that a selector matches.",
      fields: {
        spec: required(
          object({
            clusterSelector: required(
              labelSelector(),
              "The labels of the Clusters. It cannot be empty, nor changed.",
            ),
            resources: required(
              list(object(resourceFields), { minItems: 1, maxItems: 100 }),
              "ConfigMaps and Secrets of the same namespace, with the objects as YAML or JSON.",
            ),
            strategy: optional(
              enumeration("ApplyOnce", "Reconcile"),
              "Whether what changes is applied again. ApplyOnce by default.",
            ),
          }),
          "The desired state.",
        ),
        status: optional(
          object({
            conditions: optional(conditions(), "The conditions, one for each type."),
            observedGeneration: optional(
              integer({ format: "int64", minimum: 1 }),
              "The generation that was reconciled last.",
            ),
          }),
          "The observed state.",
        ),
      },
      columns: [
        conditionColumn("Applied", "ResourcesApplied"),
        { ...conditionColumn("Paused", "Paused"), ...wide },
        ageColumn,
      ],
    },
  },
});

const resourceBinding = object({
  ...resourceFields,
  hash: optional(string({ minLength: 1, maxLength: 256 }), "The SHA-256 of what was applied."),
  lastAppliedTime: optional(time(), "When it was applied last."),
  applied: required(boolean(), "Whether it could be applied."),
});

/** The resources that were applied to a cluster. */
export const clusterResourceSetBinding = defineKind({
  group,
  kind: "ClusterResourceSetBinding",
  plural: "clusterresourcesetbindings",
  categories: ["cluster-api"],
  scope: "Namespaced",
  labels: coreLabels,
  versions: {
    v1beta2: {
      doc: "ClusterResourceSetBinding is what was applied to a cluster.",
      fields: {
        spec: required(
          object({
            clusterName: required(
              string({ minLength: 1, maxLength: 63 }),
              "The Cluster that it is about.",
            ),
            bindings: optional(
              list(
                object({
                  clusterResourceSetName: required(
                    string({ minLength: 1, maxLength: 253 }),
                    "The ClusterResourceSet.",
                  ),
                  resources: optional(
                    list(resourceBinding, { maxItems: 100 }),
                    "Its ConfigMaps and Secrets.",
                  ),
                }),
                { maxItems: 100 },
              ),
              "The applied resources of each ClusterResourceSet.",
            ),
          }),
          "The applied resources.",
        ),
      },
      columns: [textColumn("Cluster", ".spec.clusterName"), ageColumn],
    },
  },
});

export type ClusterResourceSet = ObjectOf<typeof clusterResourceSet>;
export type ClusterResourceSetManifest = ManifestOf<typeof clusterResourceSet>;
export type ClusterResourceSetBinding = ObjectOf<typeof clusterResourceSetBinding>;
