import {
  controllerOf,
  controllerReferenceTo,
  isControlledBy,
  isInvalid,
  isNotFound,
  objectKeyOf,
} from "@rookery/kube";
import { isBeingDeleted } from "@rookery/runtime";
import type { Dependents } from "./dependents.ts";
import { findObject, type Kind } from "./kinds.ts";
import { writerOf } from "./object-writer.ts";
import type { Stored } from "./objects.ts";
import type { Scope } from "./workload-context.ts";
import { selectorOf } from "./workload-controller.ts";

export interface Claiming<T extends Stored> {
  readonly dependents: Dependents<T>;
  readonly ownerKind: Kind<Stored>;
  /** Objects that are neither returned, adopted nor released. */
  readonly ignores?: (candidate: T) => boolean;
  /** A condition beside the owner's selector. */
  readonly accepts?: (candidate: T) => boolean;
  /** Finalizers that adopted objects get. */
  readonly finalizers?: readonly string[];
}

/**
 * Returns the objects that an owner controls. It adopts objects that it selects and nobody controls,
 * and releases objects that it no longer selects, unless it is being deleted itself.
 */
export async function claim<T extends Stored>(
  owner: Stored,
  claiming: Claiming<T>,
  scope: Scope,
): Promise<T[]> {
  const { dependents, ignores = () => false } = claiming;
  const orphans = dependents.orphansIn(owner.metadata.namespace ?? "");
  const candidates = [...dependents.of(owner), ...orphans].filter((each) => !ignores(each));
  const selects = selectorOf(owner);
  const isOurs = (candidate: T) =>
    selects(candidate.metadata.labels) && (claiming.accepts?.(candidate) ?? true);
  const claimed = await Promise.all(
    candidates.map((candidate) => {
      const isWanted = isOurs(candidate);
      if (isControlledBy(candidate, owner)) {
        return isWanted ? candidate : release(candidate, owner, { claiming, scope });
      }
      const isFree = controllerOf(candidate) === undefined && !isBeingDeleted(candidate);
      return isFree && isWanted ? adopt(candidate, owner, { claiming, scope }) : undefined;
    }),
  );
  return claimed.filter((candidate) => candidate !== undefined);
}

interface Change<T extends Stored> {
  readonly claiming: Claiming<T>;
  readonly scope: Scope;
}

async function adopt<T extends Stored>(
  candidate: T,
  owner: Stored,
  change: Change<T>,
): Promise<T | undefined> {
  const { claiming, scope } = change;
  const now = findObject(scope.context.store, claiming.ownerKind, objectKeyOf(owner));
  if (now?.metadata.uid !== owner.metadata.uid || now === undefined || isBeingDeleted(now)) {
    return undefined;
  }
  const { finalizers } = claiming;
  return patchMetadata(candidate, change, {
    ownerReferences: [controllerReferenceTo(owner)],
    ...(finalizers && { finalizers }),
  });
}

async function release<T extends Stored>(
  candidate: T,
  owner: Stored,
  change: Change<T>,
): Promise<undefined> {
  if (isBeingDeleted(owner)) return;
  const { finalizers } = change.claiming;
  await patchMetadata(candidate, change, {
    ownerReferences: [{ $patch: "delete", uid: owner.metadata.uid }],
    ...(finalizers && { "$deleteFromPrimitiveList/finalizers": finalizers }),
  });
}

/** Returns undefined where the object is gone, or another one has its name. */
async function patchMetadata<T extends Stored>(
  object: T,
  { claiming, scope }: Change<T>,
  change: object,
): Promise<T | undefined> {
  const metadata = { uid: object.metadata.uid, ...change };
  const patch = { type: "strategic", patch: { metadata } } as const;
  try {
    return await writerOf(scope, claiming.dependents.kind).patch(object, patch);
  } catch (error) {
    if (isNotFound(error) || isInvalid(error)) return undefined;
    throw error;
  }
}
