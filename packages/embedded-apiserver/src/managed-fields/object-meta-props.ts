const text = { type: "string" } as const;
const time = { type: "string", format: "date-time" } as const;
const number = { type: "integer" } as const;
const flag = { type: "boolean" } as const;
const texts = { type: "object", additionalProperties: text } as const;

const ownerReference = {
  type: "object",
  "x-kubernetes-map-type": "atomic",
  properties: {
    apiVersion: text,
    blockOwnerDeletion: flag,
    controller: flag,
    kind: text,
    name: text,
    uid: { ...text, default: "" },
  },
} as const;

const managedFieldsEntry = {
  type: "object",
  properties: {
    apiVersion: text,
    fieldsType: text,
    fieldsV1: { type: "object" },
    manager: text,
    operation: text,
    subresource: text,
    time,
  },
} as const;

/** The parts of ObjectMeta that matter for merging. */
export const objectMetaProps = {
  type: "object",
  properties: {
    annotations: texts,
    creationTimestamp: time,
    deletionGracePeriodSeconds: number,
    deletionTimestamp: time,
    finalizers: { type: "array", items: text, "x-kubernetes-list-type": "set" },
    generateName: text,
    generation: number,
    labels: texts,
    managedFields: { type: "array", items: managedFieldsEntry },
    name: text,
    namespace: text,
    ownerReferences: {
      type: "array",
      items: ownerReference,
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["uid"],
    },
    resourceVersion: text,
    selfLink: text,
    uid: text,
  },
} as const;
