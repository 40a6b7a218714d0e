import {
  FieldError,
  type FieldPath,
  fieldPath,
  type ManagedFieldsEntry,
  maskTrailingDash,
  type ObjectMeta,
  type OwnerReference,
  parseApiVersion,
  validateDns1123Label,
  validateLabels,
} from "@rookery/kube";
import {
  invalidEach,
  validateAnnotations,
  validateImmutable,
  validateNonnegative,
} from "../kinds/meta/field-rules.ts";
import { GoStruct } from "../kinds/meta/internal-form.ts";
import { finalizerProblems, unqualifiedFinalizers } from "./finalizer-rules.ts";

type Problems = FieldError[];

export interface MetaRules {
  readonly namespaced: boolean;
  readonly validateName: (name: string) => readonly string[];
  /** Whether a trailing dash of generateName is masked. */
  readonly masksPrefix: boolean;
  /** Whether finalizers need a domain, as for built-in kinds. */
  readonly qualifiesFinalizers?: boolean;
}

const path = fieldPath("metadata");
const fields = {
  name: path.child("name"),
  generateName: path.child("generateName"),
  namespace: path.child("namespace"),
  generation: path.child("generation"),
  labels: path.child("labels"),
  annotations: path.child("annotations"),
  ownerReferences: path.child("ownerReferences"),
  finalizers: path.child("finalizers"),
  managedFields: path.child("managedFields"),
} as const;

/** Go: ValidateObjectMeta. */
export function validateObjectMeta(meta: ObjectMeta, rules: MetaRules): Problems {
  return [
    ...nameProblems(meta, rules),
    ...namespaceProblems(meta, rules),
    ...validateNonnegative(meta.generation ?? 0, fields.generation),
    ...validateLabels(meta.labels ?? {}, fields.labels),
    ...validateAnnotations(meta.annotations, fields.annotations),
    ...ownerProblems(meta.ownerReferences ?? [], fields.ownerReferences),
    ...finalizerProblems(meta.finalizers ?? [], fields.finalizers),
    ...managedFieldsProblems(meta.managedFields ?? [], fields.managedFields),
    ...(rules.qualifiesFinalizers ? unqualifiedFinalizers(meta) : []),
  ];
}

/** Go: ValidateObjectMetaUpdate. */
export function validateObjectMetaUpdate(meta: ObjectMeta, old: ObjectMeta): Problems {
  return [
    ...newFinalizerProblems(meta, old),
    ...versionProblems(meta, old),
    ...immutable.flatMap((field) => immutableProblems(meta, old, field)),
    ...validateLabels(meta.labels ?? {}, fields.labels),
    ...validateAnnotations(meta.annotations, fields.annotations),
    ...ownerProblems(meta.ownerReferences ?? [], fields.ownerReferences),
    ...managedFieldsProblems(meta.managedFields ?? [], fields.managedFields),
  ];
}

/** Problems of name and generateName. */
export function nameProblems(
  meta: ObjectMeta,
  { validateName, masksPrefix }: Pick<MetaRules, "validateName" | "masksPrefix">,
): Problems {
  const { generateName = "", name = "" } = meta;
  const masked = masksPrefix ? maskTrailingDash(generateName) : generateName;
  const ofPrefix = generateName === "" ? [] : validateName(masked);
  const problems = invalidEach(generateName, ofPrefix, fields.generateName);
  if (name === "") {
    const detail = "name or generateName is required";
    return [...problems, FieldError.required(fields.name, detail)];
  }
  return [...problems, ...invalidEach(name, validateName(name), fields.name)];
}

function namespaceProblems({ namespace = "" }: ObjectMeta, { namespaced }: MetaRules): Problems {
  const field = fields.namespace;
  if (!namespaced) {
    return namespace === "" ? [] : [FieldError.forbidden(field, "not allowed on this type")];
  }
  if (namespace === "") return [FieldError.required(field, "")];
  return invalidEach(namespace, validateDns1123Label(namespace), field);
}

function newFinalizerProblems(meta: ObjectMeta, old: ObjectMeta): Problems {
  if (old.deletionTimestamp === undefined) return [];
  const known = new Set(old.finalizers);
  const added = [...new Set(meta.finalizers)].filter((name) => !known.has(name)).sort();
  if (added.length === 0) return [];
  const shown = added.map((name) => JSON.stringify(name)).join(", ");
  const detail = `no new finalizers can be added if the object is being deleted, found new finalizers []string{${shown}}`;
  return [FieldError.forbidden(fields.finalizers, detail)];
}

function versionProblems(meta: ObjectMeta, old: ObjectMeta): Problems {
  const { resourceVersion = "", generation = 0 } = meta;
  const missing = "must be specified for an update";
  const field = path.child("resourceVersion");
  return [
    ...(resourceVersion === "" ? [FieldError.invalid(field, resourceVersion, missing)] : []),
    ...(generation < (old.generation ?? 0)
      ? [FieldError.invalid(fields.generation, generation, "must not be decremented")]
      : []),
  ];
}

const immutable = [
  "name",
  "namespace",
  "uid",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
] as const;

/** Missing strings are shown as "". */
function immutableProblems(
  meta: ObjectMeta,
  old: ObjectMeta,
  field: (typeof immutable)[number],
): Problems {
  const isText = field === "name" || field === "namespace" || field === "uid";
  const absent = isText ? "" : undefined;
  return validateImmutable(meta[field] ?? absent, old[field] ?? absent, path.child(field));
}

function managedFieldsProblems(entries: readonly ManagedFieldsEntry[], field: FieldPath): Problems {
  return entries.flatMap(({ operation = "", fieldsType = "" }, index) => {
    const known = operation === "Apply" || operation === "Update";
    if (known && fieldsType === "FieldsV1") return [];
    const entry = field.index(index);
    const detail = "must be `Apply` or `Update`";
    return [
      ...(known ? [] : [FieldError.invalid(entry.child("operation"), operation, detail)]),
      ...(fieldsType === "" || fieldsType === "FieldsV1"
        ? []
        : [FieldError.invalid(entry.child("fieldsType"), fieldsType, "must be `FieldsV1`")]),
    ];
  });
}

/** Go: ValidateOwnerReferences. */
function ownerProblems(references: readonly OwnerReference[], field: FieldPath): FieldError[] {
  const all = references.map(asStruct);
  let controller = "";
  return references.flatMap((reference) => {
    const problems = referenceProblems(reference, field);
    if (reference.controller !== true) return problems;
    const name = `${reference.kind}/${reference.name}`;
    if (controller !== "") {
      const detail = `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${name}`;
      return [...problems, FieldError.invalid(field, all, detail)];
    }
    controller = name;
    return problems;
  });
}

function referenceProblems(reference: OwnerReference, field: FieldPath): FieldError[] {
  const { apiVersion = "", kind = "", name = "", uid = "" } = reference;
  const { group, version } = versionOf(apiVersion);
  const empty = (child: string, value: string, detail = "must not be empty") =>
    value === "" ? [FieldError.invalid(field.child(child), value, detail)] : [];
  const problems = [
    ...(version === ""
      ? [FieldError.invalid(field.child("apiVersion"), apiVersion, "version must not be empty")]
      : []),
    ...empty("kind", kind),
    ...empty("name", name),
    ...empty("uid", uid),
  ];
  if (group !== "" || version !== "v1" || kind !== "Event") return problems;
  const detail = "/v1, Kind=Event is disallowed from being an owner";
  return [...problems, FieldError.invalid(field, asStruct(reference), detail)];
}

/** In the field order of the Go struct, which messages show. */
function asStruct(reference: OwnerReference): GoStruct {
  const { apiVersion, kind, name, uid, controller, blockOwnerDeletion } = reference;
  return new GoStruct({ apiVersion, kind, name, uid, controller, blockOwnerDeletion });
}

/** An apiVersion with two slashes is treated as empty. */
function versionOf(apiVersion: string): { group: string; version: string } {
  return apiVersion.split("/").length > 2
    ? { group: "", version: "" }
    : parseApiVersion(apiVersion);
}
