import { list, map, object } from "../../declaration/collections.ts";
import { textColumn } from "../../declaration/columns.ts";
import { rule } from "../../declaration/field-type.ts";
import { defaulted, optional } from "../../declaration/fields.ts";
import { objectReference } from "../../declaration/fragments.ts";
import { defineKind, type ManifestOf, type ObjectOf } from "../../declaration/kind.ts";
import { enumeration, integer, quantity, string } from "../../declaration/scalars.ts";
import {
  componentColumns,
  componentFields,
  componentScale,
  componentStatusFields,
  controlPlaneGroup,
  replicas,
} from "./component-fields.ts";
import { controlPlaneLabels } from "./labels.ts";
import { apiEndpoint } from "./references.ts";

const port = (minimum = 1) => integer({ format: "int32", minimum, maximum: 65535 });

const service = object(
  {
    type: defaulted(
      enumeration("ClusterIP", "NodePort", "LoadBalancer"),
      "ClusterIP",
      "How the API server is reached from outside of its pods.",
    ),
    port: defaulted(port(), 6443, "The port of the Service."),
    nodePort: optional(port(), "The port of the nodes. One is chosen by default."),
    annotations: optional(map(string()), "Annotations of the Service."),
    host: optional(
      string({ minLength: 1, maxLength: 253 }),
      "The name or address that clients use, where it is not the Service's own: a name in DNS, or " +
        "the address of a node.",
    ),
  },
  {
    rules: [
      rule(
        "!has(self.nodePort) || self.type != 'ClusterIP'",
        "nodePort is only for the types NodePort and LoadBalancer",
      ),
    ],
  },
);

const storage = object({
  type: defaulted(
    enumeration("PersistentVolumeClaim", "EmptyDir"),
    "PersistentVolumeClaim",
    "A volume that outlives pods, or a folder that goes with the pod, and all of the tenant with it.",
  ),
  size: defaulted(quantity(), "1Gi", "The size of the volume."),
  storageClassName: optional(
    string({ minLength: 1, maxLength: 253 }),
    "The StorageClass of the volume. The default one by default.",
  ),
});

/** The rules of the profile light. */
const lightRules = [
  rule(
    "!has(self.profile) || self.profile != 'light' || !has(self.replicas) || self.replicas <= 1",
    "replicas must be 0 or 1 with the profile light: one process has the data",
  ),
  rule(
    "!has(self.profile) || self.profile != 'light' || !has(self.serviceCidr) || !self.serviceCidr.contains(',')",
    "serviceCidr must be one range with the profile light",
  ),
  rule(
    "!has(self.storage) || (has(self.profile) && self.profile == 'light')",
    "storage is only for the profile light; with full, the data is in etcd",
  ),
];

const specFields = {
  ...componentFields,
  replicas: defaulted(replicas(), 1, "How many pods there are."),
  profile: defaulted(
    enumeration("full", "light"),
    "full",
    "The program: kube-apiserver with etcd (full), or Rookery's embedded Kubernetes (light).",
  ),
  service: defaulted(service, {}, "How the API server is reached."),
  serviceCidr: defaulted(
    string({ minLength: 1, maxLength: 128 }),
    "10.96.0.0/12",
    "The addresses of the tenant's Services: one range, or one of each family with a comma between.",
  ),
  certSANs: optional(
    list(string({ minLength: 1, maxLength: 253 })),
    "More names and addresses under which the API server is reached.",
  ),
  storage: optional(
    storage,
    "Where an API server of the profile light keeps its data; a volume of 1Gi by default.",
  ),
};

const spec = object(specFields, { rules: lightRules });

const status = object({
  ...componentStatusFields,
  profile: optional(string(), "The profile that runs: full or light."),
  endpoint: optional(apiEndpoint(), "Where the API server is reached."),
  apiserverService: optional(objectReference(), "The Service of the API server."),
});

/** The API server of a nested control plane. */
export const nestedAPIServer = defineKind({
  group: controlPlaneGroup,
  kind: "NestedAPIServer",
  plural: "nestedapiservers",
  shortNames: ["nkas"],
  categories: ["cluster-api"],
  scope: "Namespaced",
  labels: controlPlaneLabels,
  versions: {
    v1alpha4: {
      doc: "NestedAPIServer is the API server of a nested control plane.",
      fields: {
        spec: defaulted(spec, {}, "The desired state."),
        status: optional(status, "The observed state."),
      },
      scale: componentScale,
      columns: [...componentColumns, { ...textColumn("Profile", ".status.profile"), priority: 1 }],
    },
  },
});

export type NestedAPIServer = ObjectOf<typeof nestedAPIServer>;
export type NestedAPIServerManifest = ManifestOf<typeof nestedAPIServer>;
