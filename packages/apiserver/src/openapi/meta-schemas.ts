/** The part of OpenAPI that the metadata schemas use. */
export interface MetaSchema {
  readonly description?: string;
  readonly type?: string;
  readonly format?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, MetaSchema>>;
  readonly additionalProperties?: MetaSchema;
  readonly items?: MetaSchema;
  /** The name of another model; each OpenAPI version writes references differently. */
  readonly $model?: string;
}

const prefix = "io.k8s.apimachinery.pkg.apis.meta.v1";

export const metaModels = {
  objectMeta: `${prefix}.ObjectMeta`,
  listMeta: `${prefix}.ListMeta`,
  status: `${prefix}.Status`,
  deleteOptions: `${prefix}.DeleteOptions`,
  patch: `${prefix}.Patch`,
} as const;

const time = `${prefix}.Time`;
const owner = `${prefix}.OwnerReference`;
const fields = `${prefix}.FieldsV1`;
const managed = `${prefix}.ManagedFieldsEntry`;
const details = `${prefix}.StatusDetails`;
const cause = `${prefix}.StatusCause`;
const preconditions = `${prefix}.Preconditions`;

const text = (description: string): MetaSchema => ({ type: "string", description });
const flag = (description: string): MetaSchema => ({ type: "boolean", description });
const int64 = (description: string): MetaSchema => ({
  type: "integer",
  format: "int64",
  description,
});
const int32 = (description: string): MetaSchema => ({
  type: "integer",
  format: "int32",
  description,
});
const list = (items: MetaSchema, description: string): MetaSchema => ({
  type: "array",
  items,
  description,
});
const texts = (description: string): MetaSchema => ({
  type: "object",
  additionalProperties: { type: "string" },
  description,
});
const refer = ($model: string, description: string): MetaSchema => ({ $model, description });

export const typeMetaProperties: Readonly<Record<string, MetaSchema>> = {
  apiVersion: text("The group and version of the schema that this object follows."),
  kind: text("The kind of this object, in CamelCase. It can't be changed."),
};

/** The models of Kubernetes metadata. */
export const metaSchemas: Readonly<Record<string, MetaSchema>> = {
  [metaModels.objectMeta]: {
    type: "object",
    description: "The metadata that every object has.",
    properties: {
      name: text("Unique among the objects of a kind in a namespace. It can't be changed."),
      generateName: text("The beginning of a name that the server completes when there is none."),
      namespace: text("The namespace that the object lies in. It can't be changed."),
      selfLink: text("No longer filled in."),
      uid: text("Tells this object from every other one, past or future. Set by the server."),
      resourceVersion: text("Tells versions of the object apart. Opaque; set by the server."),
      generation: int64("Counts changes of what is wanted. Set by the server."),
      creationTimestamp: refer(time, "When the object was created. Set by the server."),
      deletionTimestamp: refer(time, "When the object is to be gone. Set by the server."),
      deletionGracePeriodSeconds: int64("How long the object may take to end. Set by the server."),
      labels: texts("Keys and values to select objects by."),
      annotations: texts("Keys and values that tools keep with the object."),
      ownerReferences: list({ $model: owner }, "The objects that this one goes away with."),
      finalizers: list({ type: "string" }, "Who has to finish before the object is gone."),
      managedFields: list({ $model: managed }, "Who set which fields. Kept by the server."),
    },
  },
  [metaModels.listMeta]: {
    type: "object",
    description: "The metadata that every list has.",
    properties: {
      selfLink: text("No longer filled in."),
      resourceVersion: text("The version that the list was read at. Opaque."),
      continue: text("Asks for the rest of the list where it was limited. Opaque."),
      remainingItemCount: int64("How many items the rest of the list has, where it is known."),
    },
  },
  [time]: { type: "string", format: "date-time", description: "A time in RFC 3339." },
  [owner]: {
    type: "object",
    description: "Points at the owner of an object.",
    required: ["apiVersion", "kind", "name", "uid"],
    properties: {
      apiVersion: text("The group and version of the owner."),
      kind: text("The kind of the owner."),
      name: text("The name of the owner."),
      uid: text("The uid of the owner."),
      controller: flag("Whether this owner is the one that manages the object."),
      blockOwnerDeletion: flag("Whether the owner waits for this object when it is deleted."),
    },
  },
  [fields]: { type: "object", description: "A set of fields." },
  [managed]: {
    type: "object",
    description: "The fields that one manager has set.",
    properties: {
      manager: text("The name of the manager."),
      operation: text("Apply or Update."),
      apiVersion: text("The group and version that the fields are of."),
      time: refer(time, "When the manager last changed something."),
      fieldsType: text("FieldsV1."),
      fieldsV1: refer(fields, "The fields."),
      subresource: text("The subresource by which they were set."),
    },
  },
  [metaModels.status]: {
    type: "object",
    description: "What became of a request that is not answered with an object.",
    properties: {
      ...typeMetaProperties,
      metadata: refer(metaModels.listMeta, "The metadata of the answer."),
      status: text("Success or Failure."),
      message: text("What happened, for people."),
      reason: text("What happened, for programs."),
      details: refer(details, "More about the reason."),
      code: int32("The HTTP status."),
    },
  },
  [details]: {
    type: "object",
    description: "More about what became of a request.",
    properties: {
      name: text("The name of the object."),
      group: text("The group of the object."),
      kind: text("The kind, or the resource, of the object."),
      uid: text("The uid of the object."),
      causes: list({ $model: cause }, "What led to it, such as invalid fields."),
      retryAfterSeconds: int32("When it is worth trying again."),
    },
  },
  [cause]: {
    type: "object",
    description: "One thing that led to a failure.",
    properties: {
      reason: text("Why, for programs."),
      message: text("Why, for people."),
      field: text("The field that caused it."),
    },
  },
  [metaModels.deleteOptions]: {
    type: "object",
    description: "How an object is to be deleted.",
    properties: {
      ...typeMetaProperties,
      gracePeriodSeconds: int64("How long the object may take to end; 0 is at once."),
      preconditions: refer(preconditions, "What must hold for the deletion."),
      orphanDependents: flag("Deprecated: use propagationPolicy."),
      propagationPolicy: text("Orphan, Background or Foreground: what becomes of what it owns."),
      dryRun: list({ type: "string" }, "All to only try."),
    },
  },
  [preconditions]: {
    type: "object",
    description: "What must hold for an operation to happen.",
    properties: {
      uid: text("The uid that the object must have."),
      resourceVersion: text("The resourceVersion that the object must have."),
    },
  },
  [metaModels.patch]: { type: "object", description: "A change to an object." },
};
