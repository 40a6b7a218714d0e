import { list, listMap, map, object, objectSchema } from "../../declaration/collections.ts";
import { ageColumn, conditionColumn, textColumn } from "../../declaration/columns.ts";
import type { PrinterColumn } from "../../declaration/custom-resource-definition.ts";
import { type FieldType, fieldType } from "../../declaration/field-type.ts";
import { optional, required } from "../../declaration/fields.ts";
import { conditions } from "../../declaration/fragments.ts";
import { resourceRequirements } from "../../declaration/pod-fragments.ts";
import { boolean, integer, string } from "../../declaration/scalars.ts";

/** A strategic merge patch of one of the objects that a component is made of. */
export interface ComponentPatch {
  readonly apiVersion: string;
  readonly kind: string;
  readonly [field: string]: unknown;
}

const VERSION_PATTERN =
  "^v?(0|[1-9][0-9]*)\\.(0|[1-9][0-9]*)\\.(0|[1-9][0-9]*)(-[0-9A-Za-z.-]+)?(\\+[0-9A-Za-z.-]+)?$";

export const controlPlaneGroup = "controlplane.cluster.x-k8s.io";

/** A semantic version, with or without a leading v. */
export function version(): FieldType<string> {
  return string({ maxLength: 128, pattern: VERSION_PATTERN });
}

/** The spec fields of all components except `replicas`, which has different bounds in each. */
export const componentFields = {
  version: optional(
    version(),
    "The version to run. Where it is not set, the one that the channel names.",
  ),
  channel: optional(
    string({ minLength: 1, maxLength: 63 }),
    "The channel that names the version where none is set; stable where it is not set either.",
  ),
  image: optional(
    string({ minLength: 1, maxLength: 512 }),
    "The image to run, instead of the one that belongs to the version.",
  ),
  patches: optional(
    // Each is merged into whole objects at every look.
    list(patch(), { maxItems: 64 }),
    "Strategic merge patches of the objects that the component is made of. Each names the objects " +
      "by apiVersion and kind, and one of them where it has metadata.name.",
  ),
  resources: optional(resourceRequirements(), "The compute resources of each pod."),
  extraArgs: optional(
    listMap(
      object({
        name: required(
          string({ minLength: 1, maxLength: 253, pattern: "^[a-z0-9][a-z0-9-]*$" }),
          "The flag, without dashes.",
        ),
        value: required(string(), "Its value."),
      }),
      // A flag may be given more than once.
      ["name", "value"],
    ),
    "Flags of the program. They replace those that are set without them.",
  ),
};

/** How many pods a component has. */
export function replicas() {
  return integer({ format: "int32", minimum: 0, maximum: 9 });
}

/** The status fields of all components. */
export const componentStatusFields = {
  phase: optional(string(), "The phase, in one word."),
  ready: optional(boolean(), "Whether the component serves."),
  version: optional(string(), "The last version that became ready."),
  replicas: optional(integer({ format: "int32" }), "How many pods there are."),
  readyReplicas: optional(integer({ format: "int32" }), "How many of them are ready."),
  observedGeneration: optional(
    integer({ format: "int64", minimum: 0 }),
    "The generation of the object that was acted upon.",
  ),
  failedRevision: optional(
    string(),
    "The revision that never became ready and was rolled back. It is not retried until the spec changes.",
  ),
  failedRevisionCause: optional(
    string(),
    "Why it never became ready, by the status of one of its pods, which are gone.",
  ),
  authorities: optional(
    map(string()),
    "The authorities that all pods trust, by their names (ca, etcd, proxy): the SHA-256 of tls.crt in " +
      "the Secret of each, as sha256sum prints it.",
  ),
  conditions: optional(conditions(), "The conditions of the component, one for each type."),
  failureMessage: optional(string(), "An error that retries do not fix."),
};

export const componentColumns: readonly PrinterColumn[] = [
  { name: "Ready", type: "boolean", jsonPath: ".status.ready" },
  textColumn("Phase", ".status.phase"),
  textColumn("Version", ".status.version"),
  { name: "Replicas", type: "integer", jsonPath: ".status.readyReplicas", priority: 1 },
  conditionColumn("Reason", "Ready", "reason"),
  ageColumn,
];

export const componentScale = {
  specReplicasPath: ".spec.replicas",
  statusReplicasPath: ".status.replicas",
};

function patch(): FieldType<ComponentPatch> {
  return fieldType({
    ...objectSchema({
      apiVersion: required(string({ minLength: 1 }), "The API group and version of the objects."),
      kind: required(string({ minLength: 1 }), "The kind of the objects."),
    }),
    "x-kubernetes-preserve-unknown-fields": true,
  });
}
