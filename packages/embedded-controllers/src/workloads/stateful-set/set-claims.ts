import { isAlreadyExists, objectKeyOf } from "@rookery/kube";
import { findObject, kinds } from "../shared/kinds.ts";
import { writerOf } from "../shared/object-writer.ts";
import type { Claim, Pod, StatefulSet } from "../shared/objects.ts";
import { causeOf, type Scope, tell, warn } from "../shared/workload-context.ts";
import { hasOtherController, isStale, retentionOf, wantedOwners } from "./claim-owners.ts";
import { claimsOf } from "./claim-templates.ts";
import { ordinalOf } from "./set-pods.ts";

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
    tell(scope, set, "SuccessfulCreate", `create Claim ${name} ${where} success`);
    return [];
  } catch (error) {
    const cause = causeOf(error);
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
