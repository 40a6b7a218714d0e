import {
  ageColumn,
  boolean,
  conditionColumn,
  conditions,
  defineKind,
  enumeration,
  list,
  type ObjectOf,
  object,
  optional,
  required,
  string,
  templateSpec,
  textColumn,
} from "@rookery/api";
import { contractLabels } from "./labels.ts";

const keepsHost = {
  rule: "!has(oldSelf.host) || (has(self.host) && self.host == oldSelf.host)",
  message: "host cannot be changed: delete the machine to free its host",
};

const spec = object(
  {
    host: optional(
      string({ minLength: 1, maxLength: 63 }),
      "The host of the machine. The controller sets it to a free host of the HostCluster.",
    ),
    providerID: optional(string({ maxLength: 512 }), "host://<namespace>/<HostCluster>/<host>."),
  },
  { rules: [keepsHost] },
);

const address = object({
  type: required(enumeration("Hostname", "InternalIP"), "The type of the address."),
  address: required(string({ minLength: 1, maxLength: 253 }), "The address."),
});

const status = object({
  ready: optional(boolean(), "Whether the machine has a host."),
  initialization: optional(
    object({ provisioned: optional(boolean(), "Whether the machine is provisioned.") }),
    "The fields by which Cluster API recognizes that a new machine is provisioned.",
  ),
  addresses: optional(list(address), "The addresses of the host."),
  conditions: optional(conditions(), "The conditions of the machine."),
});

/** A machine of a cluster: one host of the HostCluster. */
export const hostMachine = defineKind({
  group: "infrastructure.cluster.x-k8s.io",
  kind: "HostMachine",
  plural: "hostmachines",
  categories: ["cluster-api"],
  scope: "Namespaced",
  labels: contractLabels,
  versions: {
    v1beta1: {
      doc: "HostMachine is a machine of a cluster on an existing host.",
      fields: {
        spec: optional(spec, "The desired state."),
        status: optional(status, "The observed state."),
      },
      columns: [
        textColumn("Host", ".spec.host"),
        conditionColumn("Ready", "Ready"),
        conditionColumn("Reason", "Ready", "reason"),
        ageColumn,
      ],
    },
  },
});

/** The template of the HostMachines of a MachineDeployment or a control plane. */
export const hostMachineTemplate = defineKind({
  group: "infrastructure.cluster.x-k8s.io",
  kind: "HostMachineTemplate",
  plural: "hostmachinetemplates",
  categories: ["cluster-api"],
  scope: "Namespaced",
  labels: contractLabels,
  versions: {
    v1beta1: {
      doc: "HostMachineTemplate is the template of HostMachines.",
      fields: { spec: templateSpec(optional(object({}), "The spec of the machines."), "machines") },
    },
  },
});

export type HostMachine = ObjectOf<typeof hostMachine>;
