import { randomUUID } from "node:crypto";
import type { ResourceRequest, ResourceStrategy } from "@rookery/apiserver";
import {
  type DeepMutable,
  deepCopy,
  type FieldError,
  formatGroupResource,
  formatTime,
  generateName,
  type KubeObject,
  type ObjectMeta,
  validateDns1123Subdomain,
  validatePathSegmentName,
} from "@rookery/kube";
import { unqualifiedFinalizers } from "./finalizer-rules.ts";
import { nameProblems, validateObjectMeta, validateObjectMetaUpdate } from "./object-meta-rules.ts";
import { assertSameUid, assertSameVersion } from "./preconditions.ts";
import type { StorageOptions } from "./storage-options.ts";

type Mutable = DeepMutable<KubeObject>;

/** Prepares and validates objects between admission and the storage. */
export function createStrategy(options: StorageOptions): Required<ResourceStrategy> {
  const { rules } = options;
  return {
    prepareForCreate: (object, request) => preparedForCreate(object, request, options),
    prepareForUpdate: (object, { current, request }) => {
      const copy = versionedCopy(object, current, { request, options });
      if (rules.status) keepStatus(copy, current);
      rules.prepareForUpdate?.(copy as KubeObject, current);
      if (rules.isNewGeneration?.(copy as KubeObject, current)) {
        copy.metadata.generation = (current.metadata.generation ?? 0) + 1;
      }
      return withSystemFields(copy, current);
    },
    validate: (object, current) =>
      current
        ? [
            ...updateProblems(object, current, options),
            ...(rules.validateUpdate?.(object, current) ?? []),
          ]
        : createProblems(object, options),
  };
}

/** The strategy of a status subresource. */
export function createStatusStrategy(
  options: StorageOptions,
): Pick<Required<ResourceStrategy>, "prepareForUpdate" | "validate"> {
  const { status = {} } = options.rules;
  return {
    prepareForUpdate: (object, { current, request }) => {
      const copy = versionedCopy(object, current, { request, options });
      if (!status.prepareForUpdate) return withSystemFields(onlyStatus(copy, current), current);
      status.prepareForUpdate(copy as KubeObject, current);
      return withSystemFields(copy, current);
    },
    validate: (object, current) =>
      current
        ? [
            ...updateProblems(object, current, options),
            ...(status.validateUpdate?.(object, current) ?? []),
          ]
        : [],
  };
}

function preparedForCreate(
  object: KubeObject,
  request: ResourceRequest,
  options: StorageOptions,
): KubeObject {
  const { rules } = options;
  const copy = deepCopy(object);
  const { metadata } = copy;
  metadata.uid = randomUUID();
  metadata.creationTimestamp = formatTime(options.now());
  if (!metadata.name && metadata.generateName) {
    metadata.name = freeName(metadata.generateName, request, options);
  }
  if (rules.isNewGeneration) metadata.generation = 1;
  if (rules.status && !rules.status.keptOnCreate) {
    delete copy.status;
    const status = rules.emptyStatus?.();
    if (status !== undefined) copy.status = status;
  }
  rules.prepareForCreate?.(copy as KubeObject);
  return copy as KubeObject;
}

const nameAttempts = 8;

/** A generated name that is not in use; the last attempt may be. */
function freeName(base: string, request: ResourceRequest, options: StorageOptions): string {
  const resource = formatGroupResource(options.resource);
  const { namespace } = request;
  let name = generateName(base);
  for (let attempt = 1; attempt < nameAttempts; attempt++) {
    if (!options.store.get({ resource, namespace, name })) return name;
    name = generateName(base);
  }
  return name;
}

/** A copy with the current resourceVersion and generation. Throws a conflict. */
function versionedCopy(
  object: KubeObject,
  current: KubeObject,
  { request, options }: { request: ResourceRequest; options: StorageOptions },
): Mutable {
  assertSameUid(object, current, { request, options });
  const { resourceVersion } = current.metadata;
  assertSameVersion(object, current, { request, options });
  const copy = deepCopy(object);
  const { generation } = current.metadata;
  Object.assign(copy.metadata, { resourceVersion });
  if (generation === undefined) delete copy.metadata.generation;
  else copy.metadata.generation = generation;
  return copy;
}

function keepStatus(object: Mutable, { status }: KubeObject): void {
  if (status === undefined) delete object.status;
  else object.status = deepCopy(status);
}

/** The current object with the new status and managedFields. */
function onlyStatus(object: Mutable, current: KubeObject): Mutable {
  const { managedFields } = object.metadata;
  const kept = deepCopy(current);
  if (managedFields === undefined) delete kept.metadata.managedFields;
  else kept.metadata.managedFields = managedFields;
  keepStatus(kept, object as KubeObject);
  return kept;
}

/** Restores fields that clients can't change. */
function withSystemFields(object: Mutable, { metadata: old }: KubeObject): KubeObject {
  const { metadata } = object;
  if (!metadata.uid && old.uid) metadata.uid = old.uid;
  if (old.creationTimestamp) metadata.creationTimestamp = old.creationTimestamp;
  if (old.deletionTimestamp) metadata.deletionTimestamp = old.deletionTimestamp;
  if (old.deletionGracePeriodSeconds !== undefined) {
    metadata.deletionGracePeriodSeconds ??= old.deletionGracePeriodSeconds;
  }
  return object as KubeObject;
}

/** The problems of a new object; the name rules of all kinds apply only if there are none. */
function createProblems(object: KubeObject, options: StorageOptions): readonly FieldError[] {
  const problems = [
    ...ownProblems(object.metadata, options),
    ...(options.rules.validate?.(object) ?? []),
  ];
  // The kind's own rules cover the rest of the common ones.
  return problems.length > 0 ? problems : commonNameProblems(object.metadata);
}

function commonNameProblems(metadata: ObjectMeta): FieldError[] {
  return nameProblems(metadata, { validateName: validatePathSegmentName, masksPrefix: false });
}

function ownProblems(metadata: ObjectMeta, { rules, namespaced }: StorageOptions): FieldError[] {
  return validateObjectMeta(metadata, {
    namespaced,
    validateName: (name) =>
      rules.validateName ? rules.validateName(name) : validateDns1123Subdomain(name),
    masksPrefix: true,
    qualifiesFinalizers: rules.dialect !== "custom",
  });
}

function commonProblems(metadata: ObjectMeta, { namespaced }: StorageOptions): FieldError[] {
  const validateName = validatePathSegmentName;
  return validateObjectMeta(metadata, { namespaced, validateName, masksPrefix: false });
}

/** Kubernetes reports these once for all kinds, and again for each kind. */
function updateProblems(
  object: KubeObject,
  current: KubeObject,
  options: StorageOptions,
): FieldError[] {
  const changes = validateObjectMetaUpdate(object.metadata, current.metadata);
  const { dialect, metadataOnUpdate = { changes: 1, whole: 0 } } = options.rules;
  const own = [...changes, ...(dialect === "custom" ? [] : unqualifiedFinalizers(object.metadata))];
  return [
    ...commonProblems(object.metadata, options),
    ...changes,
    ...times(metadataOnUpdate.changes, own),
    ...times(metadataOnUpdate.whole, ownProblems(object.metadata, options)),
  ];
}

function times<T>(count: number, items: readonly T[]): T[] {
  return Array.from({ length: count }, () => items).flat();
}
