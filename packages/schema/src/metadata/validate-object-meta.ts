import {
  FieldError,
  type FieldPath,
  validateDns1123Label,
  validateLabels,
  validateQualifiedName,
} from "@rookery/kube";
import { getOwn, isArray, isObject, type JSONObject, type JSONValue } from "../json.ts";

const MAX_ANNOTATIONS_BYTES = 256 * 1024;
const MAX_MANAGER_LENGTH = 128;
const utf8 = new TextEncoder();

/** The problems of a name; `prefix` is true for a generateName. */
type NameCheck = (name: string, prefix: boolean) => readonly string[];

export interface MetadataRules {
  readonly requiresNamespace: boolean;
  readonly name: NameCheck;
}

/** Validates coerced metadata as on the creation of any object. */
export function validateObjectMeta(
  metadata: JSONObject,
  path: FieldPath,
  rules: MetadataRules,
): FieldError[] {
  return [
    ...checkNames(metadata, path, rules),
    ...checkNamespace(metadata, path, rules),
    ...checkGeneration(metadata, path),
    ...validateLabels(Object.fromEntries(stringsOf(metadata, "labels")), path.child("labels")),
    ...checkAnnotations(stringsOf(metadata, "annotations"), path.child("annotations")),
    ...checkOwnerReferences(metadata, path.child("ownerReferences")),
    ...checkFinalizers(metadata, path.child("finalizers")),
    ...checkManagedFields(metadata, path.child("managedFields")),
  ];
}

function text(object: JSONObject, key: string): string {
  const value = getOwn(object, key);
  return typeof value === "string" ? value : "";
}

function stringsOf(object: JSONObject, key: string): readonly [string, string][] {
  const value = getOwn(object, key);
  return isObject(value) ? Object.entries(value).map(([name, each]) => [name, String(each)]) : [];
}

function listOf(object: JSONObject, key: string): readonly JSONValue[] {
  const value = getOwn(object, key);
  return isArray(value) ? value : [];
}

function checkNames(metadata: JSONObject, path: FieldPath, rules: MetadataRules): FieldError[] {
  const [name, generateName] = [text(metadata, "name"), text(metadata, "generateName")];
  const generated =
    generateName === ""
      ? []
      : invalidEach(path.child("generateName"), generateName, rules.name(generateName, true));
  const named =
    name === ""
      ? [FieldError.required(path.child("name"), "name or generateName is required")]
      : invalidEach(path.child("name"), name, rules.name(name, false));
  return [...generated, ...named];
}

function checkNamespace(metadata: JSONObject, path: FieldPath, rules: MetadataRules): FieldError[] {
  const namespace = text(metadata, "namespace");
  const at = path.child("namespace");
  if (!rules.requiresNamespace) {
    return namespace === "" ? [] : [FieldError.forbidden(at, "not allowed on this type")];
  }
  if (namespace === "") return [FieldError.required(at, "")];
  return invalidEach(at, namespace, validateDns1123Label(namespace));
}

function checkGeneration(metadata: JSONObject, path: FieldPath): FieldError[] {
  const generation = getOwn(metadata, "generation");
  if (typeof generation !== "number" || generation >= 0) return [];
  const problem = "must be greater than or equal to 0";
  return [FieldError.invalid(path.child("generation"), generation, problem)];
}

function invalidEach(path: FieldPath, value: string, problems: readonly string[]): FieldError[] {
  return problems.map((problem) => FieldError.invalid(path, value, problem));
}

function checkAnnotations(annotations: readonly [string, string][], path: FieldPath): FieldError[] {
  const bytes = annotations.reduce(
    (sum, [key, value]) => sum + utf8.encode(key).length + utf8.encode(value).length,
    0,
  );
  const names = annotations.flatMap(([key]) =>
    invalidEach(path, key, validateQualifiedName(key.toLowerCase())),
  );
  return bytes > MAX_ANNOTATIONS_BYTES
    ? [...names, FieldError.tooLong(path, MAX_ANNOTATIONS_BYTES)]
    : names;
}

function checkOwnerReferences(metadata: JSONObject, path: FieldPath): FieldError[] {
  const references = listOf(metadata, "ownerReferences").filter((each) => isObject(each));
  const controllers = references.filter((each) => getOwn(each, "controller") === true);
  const describe = (each: JSONObject): string => `${text(each, "kind")}/${text(each, "name")}`;
  const shown = references.map(shownReference);
  const [first, ...others] = controllers;
  return [
    ...references.flatMap((each) => checkOwnerReference(each, path)),
    ...others.map((other) =>
      FieldError.invalid(
        path,
        shown,
        `Only one reference can have Controller set to true. Found "true" in references for ${describe(first ?? other)} and ${describe(other)}`,
      ),
    ),
  ];
}

/** Has the field order of the Go struct in messages. */
function shownReference(reference: JSONObject) {
  const { apiVersion, kind, name, uid, controller, blockOwnerDeletion } = reference;
  return { toJSON: () => ({ apiVersion, kind, name, uid, controller, blockOwnerDeletion }) };
}

function checkOwnerReference(reference: JSONObject, path: FieldPath): FieldError[] {
  const [apiVersion, kind] = [text(reference, "apiVersion"), text(reference, "kind")];
  const version = apiVersion.split("/").length > 2 ? "" : (apiVersion.split("/").at(-1) ?? "");
  const errors: FieldError[] = [];
  if (version === "") {
    errors.push(
      FieldError.invalid(path.child("apiVersion"), apiVersion, "version must not be empty"),
    );
  }
  for (const key of ["kind", "name", "uid"]) {
    if (text(reference, key) === "")
      errors.push(FieldError.invalid(path.child(key), "", "must not be empty"));
  }
  if (apiVersion === "v1" && kind === "Event") {
    errors.push(
      FieldError.invalid(
        path,
        shownReference(reference),
        "/v1, Kind=Event is disallowed from being an owner",
      ),
    );
  }
  return errors;
}

function checkFinalizers(metadata: JSONObject, path: FieldPath): FieldError[] {
  const finalizers = listOf(metadata, "finalizers").map(String);
  const errors = finalizers.flatMap((each) => invalidEach(path, each, validateQualifiedName(each)));
  if (finalizers.includes("orphan") && finalizers.includes("foregroundDeletion")) {
    const problem = "finalizer orphan and foregroundDeletion cannot be both set";
    errors.push(FieldError.invalid(path, finalizers, problem));
  }
  return errors;
}

function checkManagedFields(metadata: JSONObject, path: FieldPath): FieldError[] {
  return listOf(metadata, "managedFields").flatMap((each, index) => {
    return isObject(each) ? checkManagedFieldsEntry(each, path.index(index)) : [];
  });
}

function checkManagedFieldsEntry(entry: JSONObject, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const operation = text(entry, "operation");
  if (operation !== "Apply" && operation !== "Update") {
    errors.push(
      FieldError.invalid(path.child("operation"), operation, "must be `Apply` or `Update`"),
    );
  }
  const fieldsType = text(entry, "fieldsType");
  if (fieldsType !== "" && fieldsType !== "FieldsV1") {
    errors.push(FieldError.invalid(path.child("fieldsType"), fieldsType, "must be `FieldsV1`"));
  }
  if (text(entry, "manager").length > MAX_MANAGER_LENGTH) {
    errors.push(FieldError.tooLong(path.child("manager"), MAX_MANAGER_LENGTH));
  }
  return errors;
}
