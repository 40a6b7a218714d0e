import { controllerReferenceTo, deepEqual, type OwnerReference } from "@rookery/kube";
import type { Claim, Pod, StatefulSet, Stored } from "../shared/objects.ts";
import { placeOf } from "./set-pods.ts";

type References = readonly OwnerReference[];

/** What becomes of claims; both are kept unless told otherwise. */
export function retentionOf({ spec }: StatefulSet) {
  const { whenDeleted, whenScaled } = spec.persistentVolumeClaimRetentionPolicy ?? {};
  return { onDeletion: whenDeleted === "Delete", onScaleDown: whenScaled === "Delete" };
}

/** Who owns a claim, so that garbage collection does what the policy says; undefined: as it is. */
export function wantedOwners(claim: Claim, set: StatefulSet, pod: Pod): References | undefined {
  const references = claim.metadata.ownerReferences ?? [];
  if ([set, pod].some((owner) => isStale(references, owner))) return undefined;
  const others = references.filter((each) => !isTo(each, set) && !isTo(each, pod));
  const owner = hasOtherController(claim, set, pod) ? undefined : ownerFor(set, pod);
  const wanted = owner ? [...others, controllerReferenceTo(owner)] : others;
  return deepEqual(wanted, references) ? undefined : wanted;
}

/** Whether somebody else sees to the claim, so that the policy does not count. */
export function hasOtherController(claim: Claim, set: StatefulSet, pod: Pod): boolean {
  const { onDeletion, onScaleDown } = retentionOf(set);
  if (!onDeletion && !onScaleDown) return false;
  return (claim.metadata.ownerReferences ?? []).some(
    (each) => each.controller === true && !isTo(each, set) && !isTo(each, pod),
  );
}

function ownerFor(set: StatefulSet, pod: Pod): Stored | undefined {
  const { onDeletion, onScaleDown } = retentionOf(set);
  const isScaledDown = placeOf(pod, set) < 0;
  if (onScaleDown && isScaledDown) return pod;
  return onDeletion ? set : undefined;
}

/** Whether it is owned by one of the same name that is gone: garbage collection takes it away. */
export function isStale(references: References, owner: Stored): boolean {
  return references.some((each) => isTo(each, owner) && each.uid !== owner.metadata.uid);
}

function isTo({ apiVersion, kind, name }: OwnerReference, owner: Stored): boolean {
  const isKind = apiVersion === owner.apiVersion && kind === owner.kind;
  return isKind && name === owner.metadata.name;
}
