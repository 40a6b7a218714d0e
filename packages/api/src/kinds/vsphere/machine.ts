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
    "What Cluster API waits for when a machine is new.",
  ),
  addresses: optional(list(machineAddress), "The addresses of the machine."),
  network: optional(list(networkStatus), "The network devices of the machine."),
  conditions: optional(conditions(), "What is known of the machine, one condition for each type."),
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
        spec: required(spec, "What is wanted."),
        status: optional(status, "What there is."),
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

/** What an autoscaler needs to know of machines before there is one. */
const templateStatus = object({
  capacity: optional(map(quantity()), "What a machine has: cpu and memory."),
  nodeInfo: optional(
    object({
      operatingSystem: optional(string({ maxLength: 256 }), "linux or windows."),
    }),
    "What a machine is.",
  ),
});

/** What machines are made from. */
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
