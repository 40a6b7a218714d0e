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
  apiVersion: text("The group and version of the schema of this object."),
  kind: text("The kind of this object, in CamelCase. Immutable."),
};

/** The models of Kubernetes metadata. */
export const metaSchemas: Readonly<Record<string, MetaSchema>> = {
  [metaModels.objectMeta]: {
    type: "object",
    description: "The metadata that every object has.",
    properties: {
      name: text("Unique among the objects of a kind in a namespace. Immutable."),
      generateName: text("The prefix of a generated name, used if name is empty."),
      namespace: text("The namespace of the object. Immutable."),
      selfLink: text("No longer filled in."),
      uid: text("Unique across space and time. Set by the server."),
      resourceVersion: text("The version of the object. Opaque; set by the server."),
      generation: int64("Counts changes of the desired state. Set by the server."),
      creationTimestamp: refer(time, "When the object was created. Set by the server."),
      deletionTimestamp: refer(time, "When the object is to be deleted. Set by the server."),
      deletionGracePeriodSeconds: int64("The grace period of the deletion. Set by the server."),
      labels: texts("Keys and values for selecting objects."),
      annotations: texts("Keys and values that tools store with the object."),
      ownerReferences: list({ $model: owner }, "The objects that own this one."),
      finalizers: list({ type: "string" }, "Must be empty before the object is deleted."),
      managedFields: list(
        { $model: managed },
        "The fields that each manager owns. Set by the server.",
      ),
    },
  },
  [metaModels.listMeta]: {
    type: "object",
    description: "The metadata that every list has.",
    properties: {
      selfLink: text("No longer filled in."),
      resourceVersion: text("The version that the list was read at. Opaque."),
      continue: text("Requests the rest of a limited list. Opaque."),
      remainingItemCount: int64("The number of remaining items, if known."),
    },
  },
  [time]: { type: "string", format: "date-time", description: "A time in RFC 3339." },
  [owner]: {
    type: "object",
    description: "A reference to the owner of an object.",
    required: ["apiVersion", "kind", "name", "uid"],
    properties: {
      apiVersion: text("The group and version of the owner."),
      kind: text("The kind of the owner."),
      name: text("The name of the owner."),
      uid: text("The uid of the owner."),
      controller: flag("Whether the owner manages the object."),
      blockOwnerDeletion: flag("Whether a foreground deletion of the owner waits for the object."),
    },
  },
  [fields]: { type: "object", description: "A set of fields." },
  [managed]: {
    type: "object",
    description: "The fields that a manager owns.",
    properties: {
      manager: text("The name of the manager."),
      operation: text("Apply or Update."),
      apiVersion: text("The group and version of the fields."),
      time: refer(time, "When the manager last changed a field."),
      fieldsType: text("FieldsV1."),
      fieldsV1: refer(fields, "The fields."),
      subresource: text("The subresource of the write."),
    },
  },
  [metaModels.status]: {
    type: "object",
    description: "The result of a request that does not return an object.",
    properties: {
      ...typeMetaProperties,
      metadata: refer(metaModels.listMeta, "The metadata of the response."),
      status: text("Success or Failure."),
      message: text("A description for people."),
      reason: text("A reason for programs."),
      details: refer(details, "More about the reason."),
      code: int32("The HTTP status."),
    },
  },
  [details]: {
    type: "object",
    description: "Details of the result of a request.",
    properties: {
      name: text("The name of the object."),
      group: text("The group of the object."),
      kind: text("The kind, or the resource, of the object."),
      uid: text("The uid of the object."),
      causes: list({ $model: cause }, "The causes, such as invalid fields."),
      retryAfterSeconds: int32("When to retry, in seconds."),
    },
  },
  [cause]: {
    type: "object",
    description: "A cause of a failure.",
    properties: {
      reason: text("A reason for programs."),
      message: text("A description for people."),
      field: text("The field that caused it."),
    },
  },
  [metaModels.deleteOptions]: {
    type: "object",
    description: "Options of a deletion.",
    properties: {
      ...typeMetaProperties,
      gracePeriodSeconds: int64("The grace period; 0 deletes at once."),
      preconditions: refer(preconditions, "Conditions of the deletion."),
      orphanDependents: flag("Deprecated: use propagationPolicy."),
      propagationPolicy: text("Orphan, Background or Foreground: how to handle owned objects."),
      dryRun: list({ type: "string" }, "All for a dry run."),
    },
  },
  [preconditions]: {
    type: "object",
    description: "Conditions of an operation.",
    properties: {
      uid: text("The uid that the object must have."),
      resourceVersion: text("The resourceVersion that the object must have."),
    },
  },
  [metaModels.patch]: { type: "object", description: "A change to an object." },
};
