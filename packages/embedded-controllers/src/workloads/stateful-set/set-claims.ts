import { messageOf } from "@rookery/errors";
import {
  controllerReferenceTo,
  deepEqual,
  isAlreadyExists,
  type OwnerReference,
  objectKeyOf,
} from "@rookery/kube";
import { findObject, kinds } from "../shared/kinds.ts";
import { writerOf } from "../shared/object-writer.ts";
import type { Claim, Pod, StatefulSet, Stored } from "../shared/objects.ts";
import { emit, type Scope, warn } from "../shared/workload-context.ts";
import { claimsOf } from "./claim-templates.ts";
import { ordinalOf, placeOf } from "./set-pods.ts";

function storedClaims(set: StatefulSet, pod: Pod, { context }: Scope): Claim[] {
  return claimsOf(set, ordinalOf(pod, set)).flatMap(
    (claim) => findObject(context.store, kinds.claims, objectKeyOf(claim)) ?? [],
  );
}

/** Creates the claims of a pod that are missing. Rejects where one cannot be had. */
export async function createClaims(set: StatefulSet, pod: Pod, scope: Scope): Promise<void> {
  const failures: string[] = [];
  for (const claim of claimsOf(set, ordinalOf(pod, set))) {
    const stored = findObject(scope.context.store, kinds.claims, objectKeyOf(claim));
    if (stored?.metadata.deletionTimestamp) {
      failures.push(`pvc ${claim.metadata.name} is being deleted`);
    }
    if (stored === undefined) failures.push(...(await createClaim(set, { claim, pod }, scope)));
  }
  if (failures.length === 1) throw new Error(failures[0]);
  if (failures.length > 1) throw new Error(`[${failures.join(", ")}]`);
}

async function createClaim(
  set: StatefulSet,
  { claim, pod }: { readonly claim: Claim; readonly pod: Pod },
  scope: Scope,
): Promise<string[]> {
  const { name } = claim.metadata;
  const where = `Pod ${pod.metadata.name} in StatefulSet ${set.metadata.name}`;
  try {
    await writerOf(scope, kinds.claims).create(claim);
    emit(scope, set, "SuccessfulCreate", `create Claim ${name} ${where} success`);
    return [];
  } catch (error) {
    const cause = messageOf(error);
    if (!isAlreadyExists(error)) {
      const note = `create Claim ${name} for ${where} failed error: ${cause}`;
      warn(scope, set, "FailedCreate", note);
    }
    return [`failed to create PVC ${name}: ${cause}`];
  }
}

/** Whether the claims of a pod that shall be created are about to go with a former one. */
export function hasStaleClaims(set: StatefulSet, pod: Pod, scope: Scope): boolean {
  if (!retentionOf(set).onScaleDown) return false;
  return storedClaims(set, pod, scope).some(({ metadata }) =>
    isStale(metadata.ownerReferences ?? [], pod),
  );
}

export function ownersAreWanted(set: StatefulSet, pod: Pod, scope: Scope): boolean {
  return storedClaims(set, pod, scope).every(
    (claim) => wantedOwners(claim, set, pod) === undefined,
  );
}

/** Lets claims be owned as the retention policy wants it. */
export async function setOwners(set: StatefulSet, pod: Pod, scope: Scope): Promise<void> {
  for (const claim of storedClaims(set, pod, scope)) {
    if (hasOtherController(claim, set, pod)) {
      const note = `PersistentVolumeClaim ${claim.metadata.name} has a conflicting OwnerReference that acts as a manging controller, the retention policy is ignored for this claim`;
      warn(scope, set, "ConflictingController", note);
    }
    const ownerReferences = wantedOwners(claim, set, pod);
    if (ownerReferences === undefined) continue;
    const changed = { ...claim, metadata: { ...claim.metadata, ownerReferences } };
    await writerOf(scope, kinds.claims).update(changed);
  }
}

type References = readonly OwnerReference[];

/** The retention policy of claims, which are kept by default. */
function retentionOf({ spec }: StatefulSet) {
  const { whenDeleted, whenScaled } = spec.persistentVolumeClaimRetentionPolicy ?? {};
  return { onDeletion: whenDeleted === "Delete", onScaleDown: whenScaled === "Delete" };
}

/** The owners by which garbage collection follows the policy; undefined where the claim has them. */
function wantedOwners(claim: Claim, set: StatefulSet, pod: Pod): References | undefined {
  const references = claim.metadata.ownerReferences ?? [];
  if ([set, pod].some((owner) => isStale(references, owner))) return undefined;
  const others = references.filter((each) => !isTo(each, set) && !isTo(each, pod));
  const owner = hasOtherController(claim, set, pod) ? undefined : ownerFor(set, pod);
  const wanted = owner ? [...others, controllerReferenceTo(owner)] : others;
  return deepEqual(wanted, references) ? undefined : wanted;
}

/** Whether somebody else sees to the claim, so that the policy does not count. */
function hasOtherController(claim: Claim, set: StatefulSet, pod: Pod): boolean {
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
function isStale(references: References, owner: Stored): boolean {
  return references.some((each) => isTo(each, owner) && each.uid !== owner.metadata.uid);
}

function isTo({ apiVersion, kind, name }: OwnerReference, owner: Stored): boolean {
  const isKind = apiVersion === owner.apiVersion && kind === owner.kind;
  return isKind && name === owner.metadata.name;
}
