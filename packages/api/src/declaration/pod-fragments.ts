/** Parts of corev1.PodSpec that kinds pass on to the pods that they create. */
import { list, map, object } from "./collections.ts";
import { optional, required } from "./fields.ts";
import { labelSelector } from "./fragments.ts";
import { boolean, enumeration, integer, quantity, string } from "./scalars.ts";

/** A corev1.Toleration. */
export function toleration() {
  return object({
    key: optional(string(), "The taint key; with the operator Exists, all keys where it is empty."),
    operator: optional(
      enumeration("Exists", "Equal"),
      "The key's relationship to the value. Equal by default.",
    ),
    value: optional(string(), "The taint value; empty with the operator Exists."),
    effect: optional(
      enumeration("NoSchedule", "PreferNoSchedule", "NoExecute"),
      "The taint effect; all effects by default.",
    ),
    tolerationSeconds: optional(
      integer({ format: "int64" }),
      "For how long a taint with the effect NoExecute is tolerated. For ever by default.",
    ),
  });
}

/** A corev1.ResourceRequirements without claims. */
export function resourceRequirements() {
  return object({
    limits: optional(map(quantity()), "The most of each compute resource that may be used."),
    requests: optional(map(quantity()), "The least of each compute resource that is needed."),
  });
}

/** A corev1.EnvVar. */
export function environmentVariable() {
  return object({
    name: required(string({ minLength: 1, maxLength: 253 }), "The name of the variable."),
    value: optional(string(), "The value; $(NAME) stands for the value of another variable."),
    valueFrom: optional(environmentVariableSource(), "Where the value is taken from."),
  });
}

function environmentVariableSource() {
  return object(
    {
      configMapKeyRef: optional(keySelector("ConfigMap"), "A key of a ConfigMap."),
      secretKeyRef: optional(keySelector("Secret"), "A key of a Secret."),
      fieldRef: optional(
        object(
          {
            apiVersion: optional(string(), "The version of the schema of the path; v1."),
            fieldPath: required(string(), "The path of the field."),
          },
          { atomic: true },
        ),
        "A field of the pod.",
      ),
      resourceFieldRef: optional(
        object(
          {
            containerName: optional(string(), "The name of the container."),
            resource: required(string(), "The resource, such as limits.cpu."),
            divisor: optional(quantity(), "What the value is divided by; 1 by default."),
          },
          { atomic: true },
        ),
        "A resource of a container.",
      ),
    },
    { minProperties: 1, maxProperties: 1 },
  );
}

function keySelector(kind: string) {
  return object(
    {
      name: required(string({ minLength: 1, maxLength: 253 }), `The name of the ${kind}.`),
      key: required(string({ minLength: 1 }), "The key."),
      optional: optional(boolean(), `Whether the ${kind} or its key may be missing.`),
    },
    { atomic: true },
  );
}

/** A corev1.Affinity. */
export function affinity() {
  return object({
    nodeAffinity: optional(nodeAffinity(), "Which nodes the pods are drawn to."),
    podAffinity: optional(podAffinity(), "Which pods the pods want to be near."),
    podAntiAffinity: optional(podAffinity(), "Which pods the pods want to be away from."),
  });
}

function nodeAffinity() {
  const selector = object(
    {
      nodeSelectorTerms: required(
        list(nodeSelectorTerm()),
        "Terms of which at least one must hold.",
      ),
    },
    { atomic: true },
  );
  const preferred = object({
    weight: required(weight(), "How much the term counts, from 1 to 100."),
    preference: required(nodeSelectorTerm(), "The term."),
  });
  return object({
    requiredDuringSchedulingIgnoredDuringExecution: optional(selector, "What nodes must have."),
    preferredDuringSchedulingIgnoredDuringExecution: optional(
      list(preferred),
      "What nodes should have.",
    ),
  });
}

function nodeSelectorTerm() {
  const requirement = object({
    key: required(string(), "The label or field."),
    operator: required(
      enumeration("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"),
      "The key's relationship to the values.",
    ),
    values: optional(list(string()), "The values."),
  });
  return object(
    {
      matchExpressions: optional(list(requirement), "Requirements on the node's labels."),
      matchFields: optional(list(requirement), "Requirements on the node's fields."),
    },
    { atomic: true },
  );
}

function podAffinity() {
  const preferred = object({
    weight: required(weight(), "How much the term counts, from 1 to 100."),
    podAffinityTerm: required(podAffinityTerm(), "The term."),
  });
  return object({
    requiredDuringSchedulingIgnoredDuringExecution: optional(
      list(podAffinityTerm()),
      "Terms that must all hold.",
    ),
    preferredDuringSchedulingIgnoredDuringExecution: optional(
      list(preferred),
      "Terms that should hold.",
    ),
  });
}

function podAffinityTerm() {
  return object({
    labelSelector: optional(labelSelector(), "Selects pods by their labels."),
    namespaces: optional(
      list(string()),
      "The namespaces of those pods; the pod's own where neither this nor namespaceSelector is set.",
    ),
    namespaceSelector: optional(labelSelector(), "Selects those namespaces by their labels."),
    topologyKey: required(string({ minLength: 1 }), "The node label that says what near means."),
    matchLabelKeys: optional(
      list(string()),
      "Label keys whose values the selected pods share with the pod.",
    ),
    mismatchLabelKeys: optional(
      list(string()),
      "Label keys whose values the selected pods do not share with the pod.",
    ),
  });
}

function weight() {
  return integer({ format: "int32", minimum: 1, maximum: 100 });
}
