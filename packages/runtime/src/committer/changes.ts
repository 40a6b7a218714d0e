import { createMergePatch, type KubeObject } from "@rookery/kube";

/** A JSON merge patch (RFC 7396) of an object. */
export type MergePatch = Readonly<Record<string, unknown>>;

/** What differs between two states of an object; each part is written in another request. */
export interface Changes {
  /** Of everything but the status. */
  readonly main: MergePatch | undefined;
  /** Of the status, under that key. */
  readonly status: { readonly status: MergePatch } | undefined;
  /** Whether a list is replaced that others add to as well: it must not have changed meanwhile. */
  readonly replacesSharedList: boolean;
}

// The rest of the metadata is the server's.
const writableMetadata = ["labels", "annotations", "finalizers", "ownerReferences"] as const;

/** Compares two states of an object. What is empty is the same as what is not there. */
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
