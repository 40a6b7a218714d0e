import { map, object, set } from "../../declaration/collections.ts";
import { ageColumn, textColumn } from "../../declaration/columns.ts";
import { rule } from "../../declaration/field-type.ts";
import { optional, required } from "../../declaration/fields.ts";
import {
  conditions,
  labelSelector,
  localObjectReference,
  namespaceNames,
} from "../../declaration/fragments.ts";
import { defineKind, type ManifestOf, type ObjectOf } from "../../declaration/kind.ts";
import { boolean, string } from "../../declaration/scalars.ts";
import { vsphereLabels } from "./labels.ts";

const allowedNamespaces = object({
  selector: optional(
    labelSelector(),
    "Selects namespaces by their labels. A namespace may use the identity when the selector or " +
      "the list has it.",
  ),
  list: optional(namespaceNames(), "Names of namespaces that may use the identity."),
});

const spec = object(
  {
    secretRef: optional(
      localObjectReference(),
      "The Secret with the keys username and password, in the namespace of the controller; of several " +
        "instances, in the namespace of each that is to use it.",
    ),
    secretName: optional(
      string({ minLength: 1, maxLength: 253 }),
      "The name of that Secret; the other way to write secretRef.",
    ),
    allowedNamespaces: optional(
      allowedNamespaces,
      "The namespaces whose clusters may use the identity. No namespace when it is not set, every " +
        "namespace when it is set and empty.",
    ),
    allowedServers: optional(
      set(string({ minLength: 1, maxLength: 253 }), { minItems: 1 }),
      "The vCenter servers that the credentials may be sent to, as clusters write them. The servers " +
        "of the installation when it is not set, as the manager's flag --vcenter-server lists them.",
    ),
  },
  {
    rules: [
      rule(
        "has(self.secretRef) != has(self.secretName)",
        "exactly one of secretRef and secretName must be set",
      ),
    ],
  },
);

const verdict = object({
  ready: required(boolean(), "Whether the instance can use the identity."),
  reason: required(string(), "Why, in a word."),
  message: required(string(), "Why, for people."),
});

const status = object({
  ready: optional(boolean(), "Whether the Secret is there and the identity can be used."),
  instances: optional(
    map(verdict),
    "The verdict of each instance of the provider, by the namespace of its Secret. " +
      "Only instances that watch a namespace which may use the identity say something.",
  ),
  allowedNamespaces: optional(
    string(),
    "Which namespaces may use the identity: all, none, or their names and labels.",
  ),
  conditions: optional(conditions(), "The conditions of the identity, one for each type."),
});

/** A vCenter account and the namespaces whose clusters may use it. */
export const vsphereClusterIdentity = defineKind({
  group: "infrastructure.cluster.x-k8s.io",
  kind: "VSphereClusterIdentity",
  plural: "vsphereclusteridentities",
  categories: ["cluster-api"],
  scope: "Cluster",
  labels: {
    ...vsphereLabels,
    // clusterctl takes identities and their Secrets along when it moves a cluster that uses them.
    "clusterctl.cluster.x-k8s.io/move-hierarchy": "",
  },
  versions: {
    v1beta1: {
      doc: "VSphereClusterIdentity is a vCenter account and says which namespaces may use it.",
      fields: {
        spec: required(spec, "The account and who may use it."),
        status: optional(status, "The observed state of the account."),
      },
      columns: [
        { name: "Ready", type: "boolean", jsonPath: ".status.ready" },
        textColumn("Namespaces", ".status.allowedNamespaces"),
        ageColumn,
      ],
    },
  },
});

export type VSphereClusterIdentity = ObjectOf<typeof vsphereClusterIdentity>;
export type VSphereClusterIdentityManifest = ManifestOf<typeof vsphereClusterIdentity>;
