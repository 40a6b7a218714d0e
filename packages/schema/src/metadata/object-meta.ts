import { isObject, type JSONObject, type JSONValue } from "../json.ts";
import { type GoField, type GoStruct, type GoType, roundTrip } from "./go-json.ts";

const STRING: GoType = { kind: "string" };
const STRINGS: GoType = { kind: "map", value: STRING };
const optional = (type: GoType): GoField => ({ type });
const pointer = (type: GoType): GoField => ({ type, pointer: true });
const always = (type: GoType): GoField => ({ type, always: true });

const OWNER_REFERENCE: GoStruct = {
  kind: "struct",
  name: "OwnerReference",
  fields: new Map([
    ["apiVersion", always(STRING)],
    ["kind", always(STRING)],
    ["name", always(STRING)],
    ["uid", always(STRING)],
    ["controller", pointer({ kind: "bool" })],
    ["blockOwnerDeletion", pointer({ kind: "bool" })],
  ]),
};

const MANAGED_FIELDS_ENTRY: GoStruct = {
  kind: "struct",
  name: "ManagedFieldsEntry",
  fields: new Map([
    ["manager", optional(STRING)],
    ["operation", optional(STRING)],
    ["apiVersion", optional(STRING)],
    ["time", pointer({ kind: "time" })],
    ["fieldsType", optional(STRING)],
    ["fieldsV1", pointer({ kind: "raw" })],
    ["subresource", optional(STRING)],
  ]),
};

const OBJECT_META: GoStruct = {
  kind: "struct",
  name: "ObjectMeta",
  fields: new Map([
    ["name", optional(STRING)],
    ["generateName", optional(STRING)],
    ["namespace", optional(STRING)],
    ["selfLink", optional(STRING)],
    ["uid", optional(STRING)],
    ["resourceVersion", optional(STRING)],
    ["generation", optional({ kind: "int64" })],
    ["creationTimestamp", optional({ kind: "time" })],
    ["deletionTimestamp", pointer({ kind: "time" })],
    ["deletionGracePeriodSeconds", pointer({ kind: "int64" })],
    ["labels", optional(STRINGS)],
    ["annotations", optional(STRINGS)],
    ["ownerReferences", optional({ kind: "list", element: OWNER_REFERENCE })],
    ["finalizers", optional({ kind: "list", element: STRING })],
    ["managedFields", optional({ kind: "list", element: MANAGED_FIELDS_ENTRY })],
  ]),
};

export interface CoercedMetadata {
  readonly metadata: JSONObject;
  /** Relative to the metadata: "foo", "ownerReferences[0].bar". */
  readonly unknownFields: readonly string[];
}

/** Drops fields that ObjectMeta lacks. Throws a GoJsonError. */
export function coerceMetadata(value: JSONValue): CoercedMetadata {
  const { value: metadata, unknown } = roundTrip(value, OBJECT_META);
  return { metadata: isObject(metadata) ? metadata : {}, unknownFields: unknown };
}
