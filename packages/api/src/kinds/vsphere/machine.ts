import { list, map, object } from "../../declaration/collections.ts";
import { ageColumn, textColumn } from "../../declaration/columns.ts";
import { optional, required } from "../../declaration/fields.ts";
import { conditions, templateSpec } from "../../declaration/fragments.ts";
import { defineKind, type ManifestOf, type ObjectOf } from "../../declaration/kind.ts";
import { boolean, quantity, string } from "../../declaration/scalars.ts";
import {
  cloneFields,
  machineAddress,
  networkStatus,
  powerOffFields,
  powerOffRule,
} from "./clone-spec.ts";
import { vsphereLabels } from "./labels.ts";

const spec = object(
  {
    ...cloneFields,
    ...powerOffFields,
    providerID: optional(
      string({ maxLength: 512 }),
      "vsphere:// and the UUID of the machine, once it is known.",
    ),
    failureDomain: optional(string({ maxLength: 256 }), "Where the machine is placed."),
  },
  { rules: [powerOffRule] },
);

const status = object({
  ready: optional(boolean(), "Whether the machine runs and has an address."),
  initialization: optional(
    object({ provisioned: optional(boolean(), "Whether the machine is there.") }),
    "The fields that Cluster API waits for in a new machine.",
  ),
  addresses: optional(list(machineAddress), "The addresses of the machine."),
  network: optional(list(networkStatus), "The network devices of the machine."),
  conditions: optional(conditions(), "The conditions of the machine, one for each type."),
});

/** A machine of a cluster. */
export const vsphereMachine = defineKind({
  group: "infrastructure.cluster.x-k8s.io",
  kind: "VSphereMachine",
  plural: "vspheremachines",
  categories: ["cluster-api"],
  scope: "Namespaced",
  labels: vsphereLabels,
  versions: {
    v1beta1: {
      doc: "VSphereMachine is a machine of a cluster, as a virtual machine on a vCenter.",
      fields: {
        spec: required(spec, "The desired state."),
        status: optional(status, "The observed state."),
      },
      columns: [
        textColumn("Cluster", ".metadata.labels['cluster\\.x-k8s\\.io/cluster-name']"),
        textColumn("Ready", ".status.ready"),
        textColumn("ProviderID", ".spec.providerID"),
        ageColumn,
      ],
    },
  },
});

/** The properties of machines that an autoscaler needs before the first machine exists. */
const templateStatus = object({
  capacity: optional(map(quantity()), "The resources of a machine: cpu and memory."),
  nodeInfo: optional(
    object({
      operatingSystem: optional(string({ maxLength: 256 }), "linux or windows."),
    }),
    "Properties of a machine.",
  ),
});

/** The template of VSphereMachines. */
export const vsphereMachineTemplate = defineKind({
  group: "infrastructure.cluster.x-k8s.io",
  kind: "VSphereMachineTemplate",
  plural: "vspheremachinetemplates",
  categories: ["cluster-api"],
  scope: "Namespaced",
  labels: vsphereLabels,
  versions: {
    v1beta1: {
      doc: "VSphereMachineTemplate is what VSphereMachines are made from.",
      fields: {
        spec: templateSpec(required(spec, "The spec of the machines."), "machines"),
        status: optional(templateStatus, "What is known of machines that are made from it."),
      },
    },
  },
});

export type VSphereMachineTemplate = ObjectOf<typeof vsphereMachineTemplate>;
export type VSphereMachine = ObjectOf<typeof vsphereMachine>;
export type VSphereMachineManifest = ManifestOf<typeof vsphereMachine>;
