import { list, object } from "../../declaration/collections.ts";
import { ageColumn, textColumn } from "../../declaration/columns.ts";
import { optional, required } from "../../declaration/fields.ts";
import { conditions, objectReference } from "../../declaration/fragments.ts";
import { defineKind, type ManifestOf, type ObjectOf } from "../../declaration/kind.ts";
import { boolean, enumeration, string, time } from "../../declaration/scalars.ts";
import {
  cloneFields,
  connection,
  networkStatus,
  powerOffFields,
  powerOffRule,
} from "./clone-spec.ts";
import { vsphereLabels } from "./labels.ts";

const spec = object(
  {
    ...cloneFields,
    ...powerOffFields,
    bootstrapRef: optional(
      objectReference(),
      "The Secret with the data that the machine starts with.",
    ),
    biosUUID: optional(string(), "The UUID of the machine, once it is known."),
  },
  { rules: [powerOffRule] },
);

const status = object({
  ready: optional(boolean(), "Whether the machine runs and has an address."),
  addresses: optional(list(string()), "The addresses of the machine."),
  cloneMode: optional(
    enumeration("fullClone", "linkedClone"),
    "How the machine was cloned in the end.",
  ),
  snapshot: optional(string(), "The snapshot that a linked clone shares the disks of."),
  connection: optional(connection, "The vCenter and the account that were used last."),
  vmRef: optional(string(), "The vCenter's own name of the machine."),
  taskRef: optional(
    string(),
    "The vCenter's own name of the task that is under way: taken up again after a restart.",
  ),
  guestSoftPowerOffRequestedAt: optional(
    time(),
    "When the guest was asked to shut down, before the machine is destroyed.",
  ),
  network: optional(list(networkStatus), "The network devices of the machine."),
  conditions: optional(conditions(), "The conditions of the machine, one for each type."),
});

/** A virtual machine: what a VSphereMachine is on the vCenter. */
export const vsphereVm = defineKind({
  group: "infrastructure.cluster.x-k8s.io",
  kind: "VSphereVM",
  plural: "vspherevms",
  categories: ["cluster-api"],
  scope: "Namespaced",
  labels: vsphereLabels,
  versions: {
    v1beta1: {
      doc: "VSphereVM is a virtual machine on a vCenter.",
      fields: {
        spec: required(spec, "The desired state."),
        status: optional(status, "The observed state."),
      },
      columns: [
        textColumn("Ready", ".status.ready"),
        { ...textColumn("UUID", ".spec.biosUUID"), priority: 1 },
        ageColumn,
      ],
    },
  },
});

export type VSphereVM = ObjectOf<typeof vsphereVm>;
export type VSphereVMManifest = ManifestOf<typeof vsphereVm>;
