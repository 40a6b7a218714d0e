import {
  ageColumn,
  boolean,
  conditionColumn,
  conditions,
  countColumn,
  defineKind,
  integer,
  listMap,
  type ObjectOf,
  object,
  optional,
  required,
  string,
} from "@rookery/api";
import { contractLabels } from "./labels.ts";

const host = object({
  name: required(string({ minLength: 1, maxLength: 63 }), "The name of the host."),
  address: required(string({ minLength: 1, maxLength: 253 }), "The address of the host."),
  controlPlane: optional(
    boolean(),
    "True reserves the host for machines of the control plane; other machines use the other hosts.",
  ),
});

const spec = object({
  controlPlaneEndpoint: optional(
    object({
      host: required(string({ minLength: 1, maxLength: 512 }), "The host name or address."),
      port: required(integer({ format: "int32", minimum: 1, maximum: 65535 }), "The port."),
    }),
    "The address of the cluster's API server.",
  ),
  hosts: optional(
    listMap(host, ["name"], { maxItems: 1000 }),
    "The hosts that machines of the cluster may use.",
  ),
});

const status = object({
  ready: optional(boolean(), "Whether machines can be created for the cluster."),
  initialization: optional(
    object({ provisioned: optional(boolean(), "Whether the infrastructure is provisioned.") }),
    "The fields by which Cluster API recognizes that a new cluster is provisioned.",
  ),
  hosts: optional(
    object({
      total: optional(integer({ format: "int32" }), "The number of hosts in the spec."),
      free: optional(integer({ format: "int32" }), "The number of hosts that no machine uses."),
    }),
    "The use of the hosts.",
  ),
  conditions: optional(conditions(), "The conditions of the cluster."),
});

/** The infrastructure of a cluster: its endpoint, and the hosts for its machines. */
export const hostCluster = defineKind({
  group: "infrastructure.cluster.x-k8s.io",
  kind: "HostCluster",
  plural: "hostclusters",
  categories: ["cluster-api"],
  scope: "Namespaced",
  labels: contractLabels,
  versions: {
    v1beta1: {
      doc: "HostCluster is the infrastructure of a cluster whose machines are existing hosts.",
      fields: {
        spec: optional(spec, "The desired state."),
        status: optional(status, "The observed state."),
      },
      columns: [
        conditionColumn("Ready", "Ready"),
        countColumn("Hosts", ".status.hosts.total"),
        countColumn("Free", ".status.hosts.free"),
        ageColumn,
      ],
    },
  },
});

export type HostCluster = ObjectOf<typeof hostCluster>;
export type Host = NonNullable<NonNullable<HostCluster["spec"]>["hosts"]>[number];
