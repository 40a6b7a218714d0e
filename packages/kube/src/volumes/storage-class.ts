import type { ObjectMeta } from "../object/object.ts";
import type { StoreReader } from "../object/store-reader.ts";

/** The predecessor of spec.storageClassName. */
export const storageClassAnnotation = "volume.beta.kubernetes.io/storage-class";

interface Classed {
  readonly metadata?: Pick<ObjectMeta, "annotations">;
  readonly spec?: { readonly storageClassName?: string };
}

/** The storage class of a claim or a volume; "" without one. */
export function storageClassOf({ metadata, spec }: Classed): string {
  return metadata?.annotations?.[storageClassAnnotation] ?? spec?.storageClassName ?? "";
}

const defaultAnnotations = ["", "beta."].map(
  (infix) => `storageclass.${infix}kubernetes.io/is-default-class`,
);

/** The newest default class; the first by name among several of the same age. */
export function defaultStorageClass(store: StoreReader): string | undefined {
  const { entries } = store.list("storageclasses.storage.k8s.io");
  const defaults = entries
    .map(({ object }) => object.metadata)
    .filter(({ annotations }) => defaultAnnotations.some((key) => annotations?.[key] === "true"));
  const newest = defaults.toSorted((a, b) =>
    (b.creationTimestamp ?? "").localeCompare(a.creationTimestamp ?? ""),
  );
  return newest[0]?.name;
}
