import {
  type FieldError,
  type KubeObject,
  type ObjectMeta,
  validateDns1123Subdomain,
  validatePathSegmentName,
} from "@rookery/kube";
import { unqualifiedFinalizers } from "./finalizer-rules.ts";
import { nameProblems, validateObjectMeta, validateObjectMetaUpdate } from "./object-meta-rules.ts";
import type { StorageOptions } from "./storage-options.ts";

/** The kind's own problems; those that any kind has are only looked for where there are none. */
export function createProblems(object: KubeObject, options: StorageOptions): readonly FieldError[] {
  const problems = [
    ...ownProblems(object.metadata, options),
    ...(options.rules.validate?.(object) ?? []),
  ];
  // What else any kind is asked, its own rules have asked already.
  return problems.length > 0 ? problems : commonNameProblems(object.metadata);
}

function commonNameProblems(metadata: ObjectMeta): FieldError[] {
  return nameProblems(metadata, { validateName: validatePathSegmentName, masksPrefix: false });
}

/** Of metadata as a kind sees it. */
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

/** Said once for all kinds, and once more by each, in its own way. */
export function updateProblems(
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
