import type { PersistentVolumeClaim } from "@rookery/api";
import type { Claim, StatefulSet } from "../shared/objects.ts";

export function claimName(
  set: StatefulSet,
  { metadata }: PersistentVolumeClaim,
  ordinal: number,
): string {
  return `${metadata?.name}-${set.metadata.name}-${ordinal}`;
}

/** The claims of the pod with an ordinal, as they are created. */
export function claimsOf(set: StatefulSet, ordinal: number): Claim[] {
  return (set.spec.volumeClaimTemplates ?? []).map((template) => {
    const { metadata, ...rest } = template;
    const labels = { ...metadata?.labels, ...set.spec.selector?.matchLabels };
    const { namespace = "" } = set.metadata;
    const name = claimName(set, template, ordinal);
    return {
      ...rest,
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: { ...metadata, name, namespace, labels },
    } as Claim;
  });
}
