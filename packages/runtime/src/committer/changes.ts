import { createMergePatch, type KubeObject } from "@rookery/kube";

/** A JSON merge patch (RFC 7396) of an object. */
export type MergePatch = Readonly<Record<string, unknown>>;

/** The differences between two states of an object. Each part is written by a request of its own. */
export interface Changes {
  /** All changes but those of the status. */
  readonly main: MergePatch | undefined;
  /** The changes of the status, below the key `status`. */
  readonly status: { readonly status: MergePatch } | undefined;
  /** Whether a list with other writers is replaced: it must not have changed meanwhile. */
  readonly replacesSharedList: boolean;
}

// Only the server writes the rest of the metadata.
const writableMetadata = ["labels", "annotations", "finalizers", "ownerReferences"] as const;

/** Compares two states of an object. An empty value equals a missing one. */
export function changesBetween(original: KubeObject, desired: KubeObject): Changes {
  const main = notEmpty(createMergePatch(mainPart(original), mainPart(desired)));
  const status = notEmpty(createMergePatch(original.status ?? {}, desired.status ?? {}));
  const metadata = (main?.metadata ?? {}) as MergePatch;
  return {
    main,
    status: status && { status },
    replacesSharedList:
      "finalizers" in metadata ||
      "ownerReferences" in metadata ||
      (status !== undefined && "conditions" in status),
  };
}

function mainPart(object: KubeObject): object {
  const { apiVersion: _, kind: __, metadata, status: ___, ...rest } = object;
  const fields = writableMetadata
    .filter((field) => Object.keys(metadata[field] ?? {}).length > 0)
    .map((field) => [field, metadata[field]]);
  return { ...rest, metadata: Object.fromEntries(fields) };
}

function notEmpty(patch: MergePatch): MergePatch | undefined {
  return Object.keys(patch).length === 0 ? undefined : patch;
}
