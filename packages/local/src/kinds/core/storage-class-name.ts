import type { ObjectMeta } from "@rookery/kube";

/** What the field of that name was before it was one. */
export const classAnnotation = "volume.beta.kubernetes.io/storage-class";

interface Classed {
  readonly metadata?: Pick<ObjectMeta, "annotations">;
  readonly spec?: { readonly storageClassName?: string };
}

/** The storage class of a claim or a volume; "" without one. */
export function classOf({ metadata, spec }: Classed): string {
  return metadata?.annotations?.[classAnnotation] ?? spec?.storageClassName ?? "";
}
