import type { PersistentVolumeClaim } from "@rookery/api";
import { type FieldPath, fieldPath, parseQuantity, quote } from "@rookery/kube";
import { roundUpResources } from "../meta/quantities.ts";

/** What a claim in a StatefulSet leaves out; its type too, which older versions wrote there. */
export function claimTemplateDefaults(claim: PersistentVolumeClaim): void {
  claim.apiVersion = "v1";
  claim.kind = "PersistentVolumeClaim";
  claim.status ??= {};
  claim.status.phase ||= "Pending";
  claim.spec ??= {};
  claim.spec.volumeMode ??= "Filesystem";
  roundUpResources(claim.spec.resources?.limits);
  roundUpResources(claim.spec.resources?.requests);
  roundUpResources(claim.status.capacity);
  roundUpResources(claim.status.allocatedResources);
}

/** In a change kube-apiserver names a path that is another one. */
export function claimTemplateWarnings(
  claims: readonly PersistentVolumeClaim[],
  isChange: boolean,
): string[] {
  return claims.flatMap((claim, i) => {
    const path = fieldPath("spec", "volumeClaimTemplates").index(i);
    return fractionWarnings(claim, isChange ? path.child("Spec") : path);
  });
}

function fractionWarnings({ spec }: PersistentVolumeClaim, path: FieldPath): string[] {
  return (["requests", "limits"] as const).flatMap((list) => {
    const storage = spec?.resources?.[list]?.storage;
    if (storage === undefined) return [];
    const amount = parseQuantity(String(storage));
    if (amount.milliValue() % 1000n === 0n) return [];
    const at = path.child("resources", list).key("storage");
    return [`${at}: fractional byte value ${quote(String(amount))} is invalid, must be an integer`];
  });
}
