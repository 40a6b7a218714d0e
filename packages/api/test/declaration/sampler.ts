import {
  embeddedObject,
  list,
  listMap,
  map,
  nullable,
  object,
  set,
  unknownObject,
  unknownValue,
} from "../../src/declaration/collections.ts";
import { rule } from "../../src/declaration/field-type.ts";
import { defaulted, optional, required } from "../../src/declaration/fields.ts";
import {
  conditions,
  labelSelector,
  localObjectReference,
  objectReference,
  secretReference,
  templateMetadata,
} from "../../src/declaration/fragments.ts";
import { defineKind } from "../../src/declaration/kind.ts";
import {
  boolean,
  duration,
  enumeration,
  integer,
  intOrString,
  number,
  quantity,
  string,
  time,
} from "../../src/declaration/scalars.ts";

const container = object({
  name: required(string({ minLength: 1, maxLength: 63 }), "The name."),
  protocol: defaulted(enumeration("TCP", "UDP"), "TCP", "The protocol."),
  port: optional(intOrString(), "The port."),
});

const spec = object(
  {
    text: required(string({ pattern: "^[a-z]+$", maxLength: 20 }), "A word."),
    mode: defaulted(enumeration("full", "linked"), "full", "One of two words."),
    count: defaulted(integer({ format: "int32", minimum: 1, maximum: 9 }), 3, "A count."),
    replicas: optional(integer({ format: "int32", minimum: 0 }), "What kubectl scale changes."),
    ratio: optional(number({ minimum: 0, exclusiveMinimum: true }), "A ratio."),
    enabled: defaulted(boolean(), true, "A switch."),
    memory: defaulted(quantity(), "1Gi", "A quantity."),
    timeout: defaulted(duration(), "1m30s", "A duration."),
    since: optional(time(), "A time."),
    tags: optional(set(string({ maxLength: 10 }), { maxItems: 3 }), "A set."),
    sizes: optional(list(integer(), { minItems: 1 }), "A list."),
    containers: optional(
      listMap(container, ["name", "protocol"], { maxItems: 8 }),
      "A list with keys, one of which has a default.",
    ),
    args: optional(map(string({ maxLength: 10 }), { maxProperties: 2 }), "A map."),
    note: defaulted(nullable(string()), "none", "A text or null."),
    limits: defaulted(object({ cpu: defaulted(integer(), 1, "Processors.") }), {}, "Limits."),
    values: optional(unknownObject(), "Anything with keys."),
    anything: optional(unknownValue(), "Anything."),
    manifest: optional(embeddedObject(), "A whole object."),
    template: optional(object({ metadata: optional(templateMetadata(), "Metadata.") }), "More."),
    selector: optional(labelSelector(), "A selector."),
    localRef: optional(localObjectReference(), "A reference."),
    secretRef: optional(secretReference(), "A reference to a Secret."),
    objectRef: optional(objectReference(), "A reference to an object."),
  },
  {
    rules: [
      rule("self.count <= 5 || self.mode == 'linked'", "a full one has a count of at most 5"),
      rule("self.text == oldSelf.text", "text is immutable", { reason: "FieldValueForbidden" }),
    ],
  },
);

/** For tests: a kind with every word that kinds can be declared with. */
export const sampler = defineKind({
  group: "sampler.rookery.dev",
  kind: "Sampler",
  plural: "samplers",
  shortNames: ["smp"],
  scope: "Namespaced",
  versions: {
    v1: {
      doc: "Sampler has a field of every kind.",
      storage: true,
      fields: {
        spec: required(spec, "The desired state."),
        status: optional(
          object({
            replicas: optional(integer(), "How many there are."),
            conditions: optional(conditions(), "The conditions."),
          }),
          "What is.",
        ),
      },
      rules: [rule("self.metadata.name != 'forbidden'", "must not be named forbidden")],
      columns: [{ name: "Mode", type: "string", jsonPath: ".spec.mode", priority: 1 }],
      scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" },
      selectableFields: [".spec.mode"],
    },
    v1alpha1: {
      doc: "Sampler was smaller once.",
      fields: { spec: required(unknownObject(), "The desired state.") },
      deprecated: "sampler.rookery.dev/v1alpha1 Sampler is deprecated; use v1",
    },
  },
});
